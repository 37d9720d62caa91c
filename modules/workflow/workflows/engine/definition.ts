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
  type AwayKind,
} from './codes.ts';
import { Condition } from './condition.ts';
import { Field, FormCheck, key, named, nodeId, options, words } from './form.ts';
import { idOf, wordOf } from './naming/schema.ts';

/** Levels above the creator: the head of their department, its leader in charge, then those of the departments above. */
const level = z.number().int().min(1).max(10);
/** The rule for a level that has nobody, or only the creator and people of lower levels: it is skipped, or counts all the same. */
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
    /** The last level: a number, or the first whose people hold a role or a post; all levels if nobody does. */
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
    /** Offered first even if only one person may have it. */
    always: z.boolean().optional(),
  }),
  options({
    type: z.literal(distributeType.direct),
    /** One refusal decides as one agreement does, or only when nobody is left who might agree. */
    reject_rule: z.literal([rejectRule.veto, rejectRule.wait]).default(rejectRule.wait),
  }),
  options({ type: z.literal(distributeType.random) }),
  options({
    type: z.literal(distributeType.all),
    reject_rule: z.literal(Object.values(rejectRule)),
    /** Percentage of agreements that is enough, for the rule `ratio`. */
    pass_ratio: z.number().int().min(1).max(100).default(100),
  }),
  options({ type: z.literal(distributeType.sequential) }),
  options({ type: z.literal(distributeType.leastLoaded) }),
  options({ type: z.literal(distributeType.inTurn) }),
]);

export const stateActions = ['deliver', 'delegate', 'add_node', 'return', 'retreat', 'cc', 'batch', 'sign'] as const;

/** Tickets that a state begins below itself: one for each row of a table, or each person of a field. */
export const Children = options({
  workflow: idOf(null),
  each: key,
  /** Field of the lower ticket → its initial value: a column of the row, a field of this form, or the person. */
  values: z
    .record(key, z.string().regex(/^(person|(row|form)\.[a-z][a-z0-9_]{0,49})$/, '请选择来源'))
    .refine((map) => Object.keys(map).length <= 50)
    .default({}),
  /** Column of the row → field of the lower ticket whose value it takes once that is finished. */
  back: z
    .record(key, key)
    .refine((map) => Object.keys(map).length <= 30)
    .optional(),
  /** The number of them that must be over: a number, or the field of this form that holds it. If missing: all. */
  enough: z.union([z.number().int().min(1).max(200), key]).optional(),
});
/** The most tickets that one stay begins. */
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
  /** Nobody decides their own request unless this says so explicitly. */
  on_self: z.literal(Object.values(onSelf)).default(onSelf.superior),
  on_empty: z.literal(Object.values(onEmpty)).default(onEmpty.refuse),
  on_empty_users: z.array(idOf('user')).max(50).default([]),
  /** One person may fill several seats of a joint decision: as a delegate, or by tasks handed to them. */
  several_seats: z.boolean().default(false),
  /** Keys of states: a person who decided one of them in this ticket decides nothing here. */
  not_done_by: z.array(key).max(20).optional(),
  /** `round`: people who agreed before in the same round are not asked again. */
  dedupe: z.enum(['none', 'round']).default('none'),
  /** People who agreed here before are not asked again while nothing they see has changed; after a return to them, they are. */
  keep_unchanged: z.boolean().optional(),
  /** Prefers the last handler of this state; has no effect on joint decisions. */
  remember_last: z.boolean().default(false),
  /** Field key → 1 read, 2 required, 3 optional, 4 hidden. An unnamed field is hidden. */
  access: z
    .record(key, z.literal(Object.values(fieldAccess)))
    .refine((map) => Object.keys(map).length <= 200)
    .default({}),
  /** Table key → column key → the column's access, if it differs from the table's; never more than the table's. */
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
      /** With `transfer`: the new assignees; each task goes to the first who may have it. */
      users: z.array(idOf('user')).max(20).optional(),
      /** Hours before the deadline, counted like it, at which its people are reminded once. */
      before: z.number().positive().max(720).optional(),
      /** With `remind`: hours between reminders, and their total number. */
      every: z.number().positive().max(720).optional(),
      times: z.number().int().min(1).max(20).optional(),
    })
    .nullable()
    .default(null),
  /** A state that calls another system: stays until it has answered. */
  waits: z.boolean().default(false),
  /** A join: goes on when so many branches have arrived, and ends the rest; if missing, when all have. */
  join_count: z.number().int().min(1).max(100).optional(),
  /** With `join_count`: branches no longer needed end, or run on without effect. */
  join_rest: z.enum(['end', 'run']).optional(),
  /** A parallel split: its branches run one at a time in any order, by whole branches or changing after each state. */
  turns: z.enum(['branch', 'state']).optional(),
  /** A state that waits for lower tickets: it begins them itself. */
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
  /** The first that holds determines the target; `destination` if none does. */
  conditions: z
    .array(options({ expression: Condition, target_state_id: nodeId }))
    .max(20)
    .default([]),
  /** For an inclusive split: taken if no condition of any exit holds; without conditions of its own, only then. */
  otherwise: z.boolean().default(false),
  field_require_check: z.boolean().default(true),
  alert_enable: z.boolean().default(false),
  alert_text: words(100).default(''),
  /** Refusals always need a comment, whatever is set here. */
  suggestion_required: z.boolean().default(false),
  /** Seconds without any action after which it happens by itself; 0 never. */
  timer: z.number().int().min(0).max(31_536_000).default(0),
  /** Counts only the working hours of the calendar. */
  timer_working_time: z.boolean().default(false),
  /** Keys of states in other branches: it can be taken only while the ticket is in one of them as well. */
  only_at: z.array(key).max(20).optional(),
  /** Leaves the branches around it: all of them end, and the ticket goes on at its destination. */
  leaves_branches: z.boolean().optional(),
});

/** The people who may start tickets, and how often. Empty lists: everybody; `except`: but none of these. */
export const LimitRule = options({
  users: z.array(idOf('user')).max(500).default([]),
  depts: z.array(idOf('dept')).max(200).default([]),
  roles: z
    .array(wordOf('role', named(50)))
    .max(50)
    .default([]),
  except: options({
    users: z.array(idOf('user')).max(500).default([]),
    depts: z.array(idOf('dept')).max(200).default([]),
    roles: z
      .array(wordOf('role', named(50)))
      .max(50)
      .default([]),
  }).optional(),
  /** At most `count` within the last `period` hours, per person (1) or altogether (2). */
  rate: z
    .object({ period: z.number().positive().max(8760), count: z.number().int().min(1), level: z.literal([1, 2]) })
    .nullable()
    .default(null),
  /** The most unfinished tickets of one person. */
  concurrent_open: z.number().int().min(1).nullable().default(null),
});

/** Some people who may start tickets in the name of others, and those in whose name: all of some departments and of those below. */
export const StartFor = options({
  users: z.array(idOf('user')).max(200).default([]),
  roles: z
    .array(wordOf('role', named(50)))
    .max(20)
    .default([]),
  groups: z.array(idOf('group')).max(20).default([]),
  /** The starter's own departments. */
  own_dept: z.boolean().default(false),
  depts: z.array(idOf('dept')).max(200).default([]),
});

/** Fields that must not stand together in two tickets of the workflow. */
export const Doubles = options({
  fields: z.array(key).max(10),
  /** The days back from the submission in which another ticket counts. */
  days: z.number().int().min(1).max(3650),
  /** Only tickets of the same applicant count. */
  own: z.boolean().default(false),
  /** The person who submits it is asked whether they mean it, or refused. */
  rule: z.enum(['ask', 'refuse']).default('ask'),
});

export const Settings = options({
  title_template: named(200).default('{title}'),
  content_template: words(1000).default(''),
  /** The template a ticket is printed with, as sanitised HTML; if missing, its form as a table. */
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
  /** The people who may start tickets in the name of others; if missing, nobody. */
  start_for: z.array(StartFor).max(20).optional(),
  /** Compared with other tickets whenever one is submitted; if missing, nothing is. */
  doubles: Doubles.optional(),
  /** Checks of the form whenever it is sent on. */
  checks: z.array(FormCheck).max(20).optional(),
  /** Fields shown to mere viewers. */
  display_form: z.array(key).max(200).default([]),
  /** 1 every step again, 2 straight back to the person who returned it. */
  resubmit_mode: z.literal([1, 2]).default(1),
  key_fields: z.array(key).max(200).default([]),
  notices: z.array(idOf(null)).max(20).default([]),
  /** The people who may revoke a finished ticket: nobody, those who may intervene, or also its creator. */
  revoke: z.enum(['nobody', 'admins', 'creator']).default('admins'),
  /**
   * The person who takes over a leaver's tasks that were theirs alone: their delegate, else their superior, else the workflow's administrators; or
   * starting with the second or third of these.
   */
  on_leaving: z.enum(['stand_in', 'head', 'admins']).default('stand_in'),
  /** The rule for running tickets below one that is closed, withdrawn by its creator or deleted. */
  children_on_close: z.enum(['close', 'keep']).default('close'),
  /**
   * While a ticket runs below the stay that a decision led to: the decision cannot be taken back, or the ticket is closed with it. With `close` a
   * withdrawal closes them too; a withdrawal is never refused because of them.
   */
  children_on_retreat: z.enum(['refuse', 'close']).default('refuse'),
});

/**
 * One version of a workflow: complete, and never changed once published. Ids of states, transitions and fields stay the same from version to version.
 * The schema holds shapes and sizes; `publish-check.ts` checks whether it makes sense as a whole.
 */
export const Definition = options({
  name: named(50),
  states: z.array(State).min(2).max(100),
  transitions: z.array(Transition).min(1).max(300),
  fields: z.array(Field).max(200),
  settings: Settings.default(Settings.parse({})),
});

/** A definition in the making: the same parts, which may be missing. */
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
export type StartFor = NonNullable<Definition['settings']['start_for']>[number];
export type Doubles = NonNullable<Definition['settings']['doubles']>;
export type StateAction = (typeof stateActions)[number];

/** The kind of absence that an approved ticket means for its creator; undefined if it means none. */
export const awayKindOf = ({ fields }: Pick<Definition, 'fields'>): AwayKind | undefined =>
  fields.find((field) => field.away)?.away;

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
 * The state in which somebody confirms the end of a finished ticket: the one labelled `finish: confirm`, entered only on request. States labelled
 * `finish: ask` are those whose people may request it, besides the creator. Undefined if tickets end without it.
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
/** The most people one state may ask at once. */
export const maxPeople = 500;
/** States that ask people: each of them gets a task. */
export function asksPeople({ kind }: Pick<State, 'kind'>): boolean {
  return kind === 'approve' || kind === 'handle' || kind === 'subticket';
}
/** True if everybody a state asks has a vote, so that nobody decides for the others. */
export function asksEverybody({ distribution: { type } }: Pick<State, 'distribution'>): boolean {
  return type === distributeType.all || type === distributeType.sequential;
}
/** Ids of the custom notices a state calls when a ticket enters it: to inform another system, or to ask it for people. */
export function calledBy({ kind, participants }: Pick<State, 'kind' | 'participants'>): number[] {
  const type = kind === 'hook' ? participantType.hook : participantType.external;
  return participants.flatMap((one) => (one.type === type && 'hook' in one ? one.hook : []));
}
/** The answer that a ticket entering a state expects from another system: a result, or the people to ask. Null for nothing. */
export function awaitedIn({ kind, waits, participants }: Pick<State, 'kind' | 'waits' | 'participants'>) {
  if (kind === 'hook') return waits ? 'result' : null;
  return participants.some((one) => one.type === participantType.external) ? 'people' : null;
}
/** The exits of an inclusive split that are open: those whose conditions hold, as `holds` says, and those without; else its default. */
export function waysOpen(
  exits: readonly Transition[],
  holds: (exit: Transition, index: number) => boolean,
): readonly Transition[] {
  const open = exits.filter((exit) =>
    exit.conditions.length === 0 ? !exit.otherwise : exit.conditions.some((_branch, index) => holds(exit, index)),
  );
  return open.length > 0 ? open : exits.filter((exit) => exit.otherwise).slice(0, 1);
}
/** The exit a state takes by itself after a time; undefined if it has none. */
export function timerOf(definition: Definition, stateId: number): Transition | undefined {
  return exitsOf(definition, stateId).find((exit) => exit.timer > 0);
}
/** A button of the start state that leads back to it: saves a draft. */
export function isSave(definition: Definition, transition: Transition): boolean {
  return transition.source === transition.destination && startOf(definition).id === transition.source;
}
