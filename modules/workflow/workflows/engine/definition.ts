import { z } from 'zod';
import {
  attributeType,
  distributeType,
  fieldAccess,
  onEmpty,
  onSelf,
  participantVariables,
  participantType,
  rejectRule,
  stateKinds,
  timeoutAction,
} from './codes.ts';
import { Condition } from './condition.ts';
import { Field, FormCheck, key, named, nodeId, options, words } from './form.ts';
import { idOf, wordOf } from './naming/schema.ts';

/** Levels above somebody: the head of their department, its leader in charge, then those of the departments above. */
const level = z.number().int().min(1).max(10);
/** What a level counts for that has nobody, or nobody but those below it and whoever asks: nothing, or a level all the same. */
const gaps = z.enum(['skip', 'count']).default('skip');

export const Participant = z.discriminatedUnion('type', [
  options({ type: z.literal(participantType.none) }),
  options({ type: z.literal(participantType.user), user: idOf('user') }),
  options({ type: z.literal(participantType.users), users: z.array(idOf('user')).min(1).max(200) }),
  options({ type: z.literal(participantType.dept), depts: z.array(idOf('dept')).min(1).max(50) }),
  /** Roles by code: codes are the same in every installation. */
  options({
    type: z.literal(participantType.role),
    roles: z
      .array(wordOf('role', named(50)))
      .min(1)
      .max(20),
  }),
  options({ type: z.literal(participantType.variable), variable: z.enum(participantVariables) }),
  options({ type: z.literal(participantType.fieldHeads), field: key }),
  options({ type: z.literal(participantType.field), field: key }),
  options({ type: z.literal(participantType.parentField), field: key }),
  options({ type: z.literal(participantType.hook), hook: idOf(null) }),
  options({ type: z.literal(participantType.external), hook: idOf(null) }),
  options({ type: z.literal(participantType.deptHeads), depts: z.array(idOf('heads')).min(1).max(50) }),
  options({ type: z.literal(participantType.superior), level, gaps }),
  options({
    type: z.literal(participantType.superiors),
    /** The last of them: a level, or the first who holds a role or a post; everybody above where nobody does. */
    until: z.union([
      options({ level }),
      options({ role: wordOf('role', named(50)) }),
      options({ post: wordOf('post', named(30)) }),
    ]),
    gaps,
  }),
  options({
    type: z.literal(participantType.post),
    posts: z
      .array(wordOf('post', named(30)))
      .min(1)
      .max(20),
  }),
  options({ type: z.literal(participantType.group), groups: z.array(idOf('group')).min(1).max(20) }),
  options({ type: z.literal(participantType.doneBy), state: key }),
]);

export const Distribution = z.discriminatedUnion('type', [
  options({
    type: z.literal(distributeType.claim),
    /** Offered first even where only one may have it. */
    always: z.boolean().optional(),
  }),
  options({
    type: z.literal(distributeType.direct),
    /** Whether one refusal decides as one consent does, or only when nobody is left who might consent. */
    reject_rule: z.literal([rejectRule.veto, rejectRule.wait]).default(rejectRule.wait),
  }),
  options({ type: z.literal(distributeType.random) }),
  options({
    type: z.literal(distributeType.all),
    reject_rule: z.literal(Object.values(rejectRule)),
    /** Percent of agreements that is enough, for the rule `ratio`. */
    pass_ratio: z.number().int().min(1).max(100).default(100),
  }),
  options({ type: z.literal(distributeType.sequential) }),
  options({ type: z.literal(distributeType.leastLoaded) }),
  options({ type: z.literal(distributeType.inTurn) }),
]);

export const stateActions = ['deliver', 'delegate', 'add_node', 'return', 'retreat', 'cc', 'batch', 'sign'] as const;

/** Tickets below a state that it begins itself: one for each row of a table, or each person of a field. */
export const Children = options({
  workflow: idOf(null),
  each: key,
  /** Field of the ticket below → what it holds at first: a column of the row, a field of this form, or the person. */
  values: z
    .record(key, z.string().regex(/^(person|(row|form)\.[a-z][a-z0-9_]{0,49})$/, '请选择来源'))
    .refine((map) => Object.keys(map).length <= 50)
    .default({}),
  /** Column of the row → field of the ticket below whose value it takes once that is finished. */
  back: z
    .record(key, key)
    .refine((map) => Object.keys(map).length <= 30)
    .optional(),
  /** So many of them over are enough: a number, or the field of this form that says it. Absent: all. */
  enough: z.union([z.number().int().min(1).max(200), key]).optional(),
});
/** Most tickets one stay begins. */
export const maxChildren = 200;

export const State = options({
  id: nodeId,
  key,
  name: named(50),
  kind: z.enum(stateKinds),
  order: z.number().int().min(0).max(10_000),
  hidden: z.boolean().default(false),
  participants: z.array(Participant).max(20).default([]),
  distribution: Distribution.default({ type: distributeType.direct, reject_rule: rejectRule.wait }),
  /** Nobody decides their own request where this does not say so in so many words. */
  on_self: z.literal(Object.values(onSelf)).default(onSelf.superior),
  on_empty: z.literal(Object.values(onEmpty)).default(onEmpty.refuse),
  on_empty_users: z.array(idOf('user')).max(50).default([]),
  /** One person may fill several seats where everybody has a voice: as a delegate, or by what was handed to them. */
  several_seats: z.boolean().default(false),
  /** Keys of states: whoever decided one of them in this ticket decides nothing here. */
  not_done_by: z.array(key).max(20).optional(),
  /** `round`: who agreed before in the same round is not asked again. */
  dedupe: z.enum(['none', 'round']).default('none'),
  /** Whoever agreed here before is not asked again while nothing they see has changed since; where it was returned to them, they are. */
  keep_unchanged: z.boolean().optional(),
  /** Prefer whoever handled this state last; means nothing where everybody has a voice. */
  remember_last: z.boolean().default(false),
  /** Field key → 1 read, 2 required, 3 optional, 4 hidden. A field that is not named is not shown. */
  access: z
    .record(key, z.literal(Object.values(fieldAccess)))
    .refine((map) => Object.keys(map).length <= 200)
    .default({}),
  /** Table key → column key → what that column is, where it is not as its table; never more than the table. */
  columns: z
    .record(key, z.record(key, z.literal(Object.values(fieldAccess))))
    .refine((map) => Object.values(map).every((columns) => Object.keys(columns).length <= 30))
    .refine((map) => Object.keys(map).length <= 200)
    .optional(),
  actions: z.array(z.enum(stateActions)).max(stateActions.length).default([]),
  timeout: z
    .object({
      hours: z.number().positive().max(8760),
      working_time: z.boolean().default(true),
      action: z.literal(Object.values(timeoutAction)),
      /** Who gets the tasks with `transfer`: of each the first who may have it. */
      users: z.array(idOf('user')).max(20).optional(),
      /** With `remind`: again after so many hours, so often altogether. */
      every: z.number().positive().max(720).optional(),
      times: z.number().int().min(1).max(20).optional(),
    })
    .nullable()
    .default(null),
  /** A state that calls another system: stays until that has answered. */
  waits: z.boolean().default(false),
  /** A join: it goes on when so many branches have come, and ends the rest; absent, when all have. */
  join_count: z.number().int().min(1).max(100).optional(),
  /** With `join_count`: what becomes of the branches that are not needed any more. They end, or run on and are heard by nobody. */
  join_rest: z.enum(['end', 'run']).optional(),
  /** A parallel split: its branches go one at a time in any order, by whole branches or changing after each state. */
  turns: z.enum(['branch', 'state']).optional(),
  /** A state that waits for tickets below: it begins them itself. */
  children: Children.optional(),
  label: z.record(words(50), z.union([words(200), z.number(), z.boolean()])).default({}),
});

export const Transition = options({
  id: nodeId,
  key,
  name: named(50),
  source: nodeId,
  destination: nodeId,
  attribute: z.literal(Object.values(attributeType)),
  /** The first that holds says where to go; `destination` when none does. */
  conditions: z
    .array(options({ expression: Condition, target_state_id: nodeId }))
    .max(20)
    .default([]),
  /** Of an inclusive split: taken where no condition of any of its ways holds; without conditions of its own, only then. */
  otherwise: z.boolean().default(false),
  field_require_check: z.boolean().default(true),
  alert_enable: z.boolean().default(false),
  alert_text: words(100).default(''),
  /** Refusals always need words, whatever is said here. */
  suggestion_required: z.boolean().default(false),
  /** Seconds without any operation after which it happens by itself; 0 never. */
  timer: z.number().int().min(0).max(31_536_000).default(0),
  /** Only the working hours of the calendar count. */
  timer_working_time: z.boolean().default(false),
  /** Keys of states of other branches: it can be taken only while the ticket stands in one of them as well. */
  only_at: z.array(key).max(20).optional(),
  /** It leads out of the branches it stands in: all of them end, and the ticket goes on at its destination. */
  leaves_branches: z.boolean().optional(),
});

/** Who may start how often. Empty lists: everybody. */
export const LimitRule = options({
  users: z.array(idOf('user')).max(500).default([]),
  depts: z.array(idOf('dept')).max(200).default([]),
  roles: z
    .array(wordOf('role', named(50)))
    .max(50)
    .default([]),
  /** At most `count` within the last `period` hours, per person (1) or altogether (2). */
  rate: z
    .object({ period: z.number().positive().max(8760), count: z.number().int().min(1), level: z.literal([1, 2]) })
    .nullable()
    .default(null),
  /** At most so many unfinished tickets per person. */
  concurrent_open: z.number().int().min(1).nullable().default(null),
});

export const Settings = options({
  title_template: named(200).default('{title}'),
  content_template: words(1000).default(''),
  /** The document a ticket is printed as, as cleaned HTML; absent, its form as a table. */
  print_template: words(30_000).optional(),
  number_rule: z
    .object({
      prefix: z.string().regex(/^[A-Z]{2,8}$/, '请输入 2–8 个大写字母'),
      digits: z.number().int().min(3).max(8),
      period: z.enum(['day', 'month', 'year']),
    })
    .default({ prefix: 'GD', digits: 4, period: 'day' }),
  /** Only those involved may open a ticket. */
  view_permission_check: z.boolean().default(true),
  limit: LimitRule.default(LimitRule.parse({})),
  /** What must hold of the form whenever it is handed on. */
  checks: z.array(FormCheck).max(20).optional(),
  /** Fields shown to whoever may only look. */
  display_form: z.array(key).max(200).default([]),
  /** 1 every step again, 2 straight back to whoever returned it. */
  resubmit_mode: z.literal([1, 2]).default(1),
  key_fields: z.array(key).max(200).default([]),
  notices: z.array(idOf(null)).max(20).default([]),
  /** Who may revoke a finished ticket: nobody, whoever may intervene, or its creator too. */
  revoke: z.enum(['nobody', 'admins', 'creator']).default('admins'),
  /**
   * Who takes up what somebody who leaves the house had to do, where it was theirs alone: their delegate, else their superior, else the
   * workflow's administrators; or only from the second or third of these on.
   */
  on_leaving: z.enum(['stand_in', 'head', 'admins']).default('stand_in'),
  /** What happens to running tickets below one that is closed, withdrawn by its creator or deleted. */
  children_on_close: z.enum(['close', 'keep']).default('close'),
  /**
   * While a ticket runs below the stay that a decision led to: the decision is not taken back, or the ticket is closed with it. With
   * `close` a withdrawal closes them too; it is never refused for them.
   */
  children_on_retreat: z.enum(['refuse', 'close']).default('refuse'),
});

/**
 * One version of a workflow: whole, and never changed once published. Ids of states, transitions and fields stay the same from version
 * to version. The schema holds shapes and sizes; whether it makes sense as a whole says `publish-check.ts`.
 */
export const Definition = options({
  name: named(50),
  states: z.array(State).min(2).max(100),
  transitions: z.array(Transition).min(1).max(300),
  fields: z.array(Field).max(200),
  settings: Settings.default(Settings.parse({})),
});

/** A definition in the making: the same parts, of which there may be none yet. */
export const Draft = Definition.extend({
  states: z.array(State).max(100, '最多 100 个环节').meta({ title: '环节' }),
  transitions: z.array(Transition).max(300, '最多 300 个流转').meta({ title: '流转' }),
  fields: z.array(Field).max(200, '最多 200 个字段').meta({ title: '字段' }),
});

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
export type Definition = Frozen<z.output<typeof Definition>>;
export type DefinitionInput = z.input<typeof Definition>;
export type State = Definition['states'][number];
export type Transition = Definition['transitions'][number];
export type Field = Definition['fields'][number];
export type Column = Field['columns'][number];
export type Participant = State['participants'][number];
export type Distribution = State['distribution'];
export type Children = NonNullable<State['children']>;
export type LimitRule = Definition['settings']['limit'];
export type StateAction = (typeof stateActions)[number];

/** The state with this id; a published version has every state it names, so a missing one is a bug. */
export function stateOf(definition: Definition, id: number): State {
  const state = definition.states.find((candidate) => candidate.id === id);
  if (!state) throw new Error(`state ${id} is not in the definition`);
  return state;
}
export function startOf(definition: Definition): State {
  const start = definition.states.find((state) => state.kind === 'start');
  if (!start) throw new Error('the definition has no start');
  return start;
}
/**
 * Where somebody confirms that a finished ticket is done with: the state labelled `finish: confirm`, which a ticket enters only when
 * that is applied for. States labelled `finish: ask` are those whose people may apply, besides the creator. Undefined where tickets
 * end without it.
 */
export function completionOf(definition: Definition): State | undefined {
  return definition.states.find((state) => state.label['finish'] === 'confirm' && asksPeople(state));
}
export function exitsOf(definition: Definition, stateId: number): Transition[] {
  return definition.transitions.filter((transition) => transition.source === stateId);
}
/** The ways a state may be left by itself: by agreeing where it has such ways, else by any; never by a save, nor by what is there only at times. */
export function passesOf(definition: Definition, stateId: number): Transition[] {
  const exits = exitsOf(definition, stateId).filter((exit) => !isSave(definition, exit) && !exit.only_at?.length);
  const agreeing = exits.filter((exit) => exit.attribute === attributeType.agree);
  return agreeing.length > 0 ? agreeing : exits;
}
/** Most people one state may ask at once. */
export const maxPeople = 500;
/** States that ask people: each of them gets a task. */
export function asksPeople({ kind }: Pick<State, 'kind'>): boolean {
  return kind === 'approve' || kind === 'handle' || kind === 'subticket';
}
/** Whether everybody a state asks has a voice there, so that nobody decides it for the others. */
export function asksEverybody({ distribution: { type } }: Pick<State, 'distribution'>): boolean {
  return type === distributeType.all || type === distributeType.sequential;
}
/** Ids of the custom notices a state calls when a ticket comes into it: to tell another system, or to ask it for people. */
export function calledBy({ kind, participants }: Pick<State, 'kind' | 'participants'>): number[] {
  const type = kind === 'hook' ? participantType.hook : participantType.external;
  return participants.flatMap((one) => (one.type === type && 'hook' in one ? one.hook : []));
}
/** What a ticket waits for from another system when it comes into a state: whether it is done, or whom to ask. Null for nothing. */
export function awaitedIn({ kind, waits, participants }: Pick<State, 'kind' | 'waits' | 'participants'>) {
  if (kind === 'hook') return waits ? 'result' : null;
  return participants.some((one) => one.type === participantType.external) ? 'people' : null;
}
/** The ways out of an inclusive split that are open: those whose conditions hold, as `holds` says, and those without; else its default. */
export function waysOpen(
  exits: readonly Transition[],
  holds: (exit: Transition, index: number) => boolean,
): readonly Transition[] {
  const open = exits.filter((exit) =>
    exit.conditions.length === 0 ? !exit.otherwise : exit.conditions.some((_branch, index) => holds(exit, index)),
  );
  return open.length > 0 ? open : exits.filter((exit) => exit.otherwise).slice(0, 1);
}
/** The way a state is left by itself after a time; undefined where it has none. */
export function timerOf(definition: Definition, stateId: number): Transition | undefined {
  return exitsOf(definition, stateId).find((exit) => exit.timer > 0);
}
/** A button of the start state that leads back to it: saves a draft. */
export function isSave(definition: Definition, transition: Transition): boolean {
  return transition.source === transition.destination && startOf(definition).id === transition.source;
}
