import type { ActionCode } from '#modules/workflow/workflows/contract/shapes.ts';
import { actState, type ActState, type InterveneType, isOverState } from '#modules/workflow/workflows/engine/codes.ts';
import { completionOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';

export const taskStatuses = [
  'waiting',
  'todo',
  'agree',
  'refuse',
  'other',
  'returned',
  'transferred',
  'cancelled',
  'skipped',
  'expired',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskOrigins = [
  'assign',
  'deliver',
  'delegate',
  'add_before',
  'add_parallel',
  'add_after',
  'agent',
  'admin',
  'stall',
  /** The person's own earlier decision, which still holds. */
  'keep',
] as const;
export type TaskOrigin = (typeof taskOrigins)[number];
export const groupModes = ['any', 'all', 'sequential'] as const;
export type GroupMode = (typeof groupModes)[number];
export const tokenStatuses = ['active', 'waiting_join', 'done'] as const;

/** A position of the ticket; several when branches run side by side. Numbered within the ticket. */
export interface Token {
  no: number;
  state_id: number;
  /** Empty for the trunk; for each level of branching the token that split, its visit, and which branch: `1-3.0/4-1.2`. */
  branch: string;
  status: (typeof tokenStatuses)[number];
  /** Counts the states this token has entered: an old visit's task or timer never acts on a new one. */
  visit: number;
  /** True if it came here by a refusal. */
  returned: boolean;
  /** The task it returns straight to while no key field changes. */
  back_to: number | null;
}
/** One person asked once: a row per person and token visit. Numbered within the ticket. */
export interface Task {
  no: number;
  token: number;
  visit: number;
  state_id: number;
  round: number;
  assignee: number;
  origin: TaskOrigin;
  origin_no: number | null;
  on_behalf_of: number | null;
  /** Order of asking; a hand-over keeps it. */
  group_seq: number;
  /** The number of the first task added together with it; 0 for those the state itself asks. */
  group_no: number;
  /** The rule by which people added together count. */
  mode: GroupMode | null;
  /** True if it gives an opinion to the task it came from and has no vote. */
  answers: boolean;
  status: TaskStatus;
  /** True for a task that several may claim and nobody has. */
  pooled: boolean;
  transition_id: number | null;
  reason: string;
}
export interface TicketState {
  creator: number;
  creator_dept: number | null;
  /** The people who wrote what was begun in the creator's name: those who set up its schedule, or who started it for them. */
  authors: readonly number[];
  /** The person who started it in the creator's name, one of the authors; null if the creator or the system did. */
  begun_by: number | null;
  title: string;
  act_state: ActState;
  round: number;
  deleted: boolean;
  /** Suspended: its clock stands still and nobody handles it until it is resumed. */
  suspended: boolean;
  /** Revoked after it was finished. */
  voided: boolean;
  /** The moment since which its creator is back from the leave it allowed, if before the leave's end. */
  back_at: string | null;
  /** Number of the last log row. */
  seq: number;
  form: Readonly<Record<string, unknown>>;
  tokens: readonly Token[];
  tasks: readonly Task[];
  /** State id → user names picked by the creator or an earlier handler. */
  chosen: Readonly<Record<string, readonly string[]>>;
  /** State id → people it was copied to. */
  copied: Readonly<Record<string, readonly number[]>>;
  undo: Undo | null;
}
/** The ticket before its last decision, which its author may take back until somebody else acts. */
export interface Undo {
  actor: number;
  tokens: readonly Token[];
  /** Tasks that were open. Later ones were opened by the decision. */
  tasks: readonly Pick<Task, 'no' | 'status' | 'transition_id' | 'reason'>[];
  youngest: number;
  act_state: ActState;
  round: number;
}

/** A record's content for those who decide it, by title: words, or people by their user names. */
export type RecordContent = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

export type Event =
  | { type: 'titled'; title: string }
  | { type: 'field_changed'; key: string; from: unknown; to: unknown }
  | { type: 'people_chosen'; state_id: number; usernames: readonly string[] }
  | {
      type: 'token_entered';
      token: number;
      state_id: number;
      visit: number;
      branch: string;
      returned: boolean;
      back_to?: number;
    }
  | { type: 'token_set'; token: Token }
  | { type: 'straight_back_dropped'; token: number }
  | { type: 'token_done'; token: number }
  | { type: 'task_opened'; task: Task }
  | { type: 'task_changed'; no: number; status: TaskStatus; transition_id: number | null; reason: string }
  | { type: 'task_claimed'; no: number }
  | { type: 'task_released'; no: number }
  | { type: 'copied'; state_id: number; people: readonly number[] }
  | { type: 'round_started'; round: number }
  | { type: 'act_state_changed'; from: ActState; to: ActState }
  | { type: 'undo_set'; undo: Undo | null }
  | { type: 'suspended'; on: boolean }
  | { type: 'voided' }
  | { type: 'leave_ended'; at: string }
  /** The content of the ticket's record at a decision, by title. Does not change the ticket. */
  | { type: 'record_seen'; holds: RecordContent }
  /** Decisions whose state shows their person more in another version of the workflow than it did. Does not change the ticket. */
  | { type: 'shown_more'; tasks: readonly number[] }
  | { type: 'deleted' };

/** A transition by a person, an action, or an automatic step. */
export type LogAction =
  | 'save'
  | 'submit'
  | 'handle'
  | 'skip'
  | 'keep'
  | 'regroup'
  | 'left'
  | 'migrate'
  | 'timer'
  | 'children'
  | 'stall'
  | 'answer'
  | 'reply'
  | 'correct'
  | ActionCode;
/** Facts that a decision was based on; shown as the reason for the ticket's way. */
export type Trace =
  | {
      about: 'condition';
      transition_id: number;
      index: number;
      result: boolean;
      missing: readonly string[];
      values?: Readonly<Record<string, unknown>>;
    }
  | { about: 'people'; state_id: number; people: readonly number[]; left_out: readonly number[]; why: string }
  /** A vote that was decided: the number of votes and of those needed, the result, the earlier opinions counted, and the people no longer needed. */
  | {
      about: 'ballot';
      state_id: number;
      votes: number;
      needed: number;
      agreed: number;
      refused: number;
      spared: readonly number[];
      not_needed: readonly number[];
    }
  | { about: 'straight_back'; state_id: number; kept: boolean }
  /** A state in another branch that ended by force, with the people who had not decided there. */
  | { about: 'ended'; state_id: number; people: readonly number[] };
/** One row of the append-only log. Folding the events of all rows in order gives the ticket. */
export interface LogEntry {
  seq: number;
  /** Null when the system acted by itself. */
  actor: number | null;
  action: LogAction;
  intervene_type: InterveneType;
  transition_id: number | null;
  from_state_id: number;
  to_state_id: number;
  suggestion: string;
  task_nos: readonly number[];
  events: readonly Event[];
  trace: readonly Trace[];
}
/** True if a ticket was refused for good: it reached an end, and nobody closed it or took it back. */
export function isRefused(definition: Definition, state: TicketState): boolean {
  if (state.act_state !== actState.closed || state.voided || completionOf(definition)) return false;
  const at = mainStateId(state);
  return at !== null && definition.states.some(({ id, kind }) => id === at && kind === 'end');
}
/** A ticket before its first event. */
export function newTicket(
  creator: number,
  creator_dept: number | null,
  authors: readonly number[] = [],
  begun_by: number | null = null,
): TicketState {
  return {
    creator,
    creator_dept,
    authors,
    begun_by,
    title: '',
    act_state: actState.draft,
    round: 1,
    deleted: false,
    suspended: false,
    voided: false,
    back_at: null,
    seq: 0,
    form: {},
    tokens: [],
    tasks: [],
    chosen: {},
    copied: {},
    undo: null,
  };
}
/** The ticket after one event. Pure; the given state stays as it is. */
export function apply(state: TicketState, event: Event): TicketState {
  switch (event.type) {
    case 'titled':
      return { ...state, title: event.title };
    case 'field_changed': {
      const { [event.key]: _before, ...rest } = state.form;
      return { ...state, form: event.to === null ? rest : { ...rest, [event.key]: event.to } };
    }
    case 'people_chosen':
      return { ...state, chosen: { ...state.chosen, [event.state_id]: event.usernames } };
    case 'token_entered': {
      const { token: no, state_id, visit, branch, returned, back_to = null } = event;
      return withToken(state, { no, state_id, visit, branch, returned, back_to, status: 'active' });
    }
    case 'token_set':
      return withToken(state, event.token);
    case 'straight_back_dropped':
      return {
        ...state,
        tokens: state.tokens.map((token) => (token.no === event.token ? { ...token, back_to: null } : token)),
      };
    case 'token_done':
      return {
        ...state,
        tokens: state.tokens.map((token) => (token.no === event.token ? { ...token, status: 'done' } : token)),
      };
    case 'task_opened':
      return { ...state, tasks: [...state.tasks, event.task] };
    case 'task_changed': {
      const { no, status, transition_id, reason } = event;
      return {
        ...state,
        tasks: state.tasks.map((task) => (task.no === no ? { ...task, status, transition_id, reason } : task)),
      };
    }
    case 'task_claimed':
      return withPooled(state, event.no, false);
    case 'task_released':
      return withPooled(state, event.no, true);
    case 'copied': {
      const before = state.copied[event.state_id] ?? [];
      return {
        ...state,
        copied: { ...state.copied, [event.state_id]: [...new Set([...before, ...event.people])] },
      };
    }
    case 'round_started':
      return { ...state, round: event.round };
    case 'act_state_changed': {
      // A ticket that is decided once more is leave anew.
      const stands = actState.is(event.to, actState.finished, actState.closed, actState.finishAsked);
      return { ...state, act_state: event.to, back_at: stands ? state.back_at : null };
    }
    case 'undo_set':
      return { ...state, undo: event.undo };
    case 'suspended':
      return { ...state, suspended: event.on };
    case 'voided':
      return { ...state, voided: true };
    case 'leave_ended':
      return { ...state, back_at: event.at };
    case 'record_seen':
    case 'shown_more':
      return state;
    case 'deleted':
      return { ...state, deleted: true };
  }
}
function withPooled(state: TicketState, no: number, pooled: boolean): TicketState {
  return { ...state, tasks: state.tasks.map((task) => (task.no === no ? { ...task, pooled } : task)) };
}
function withToken(state: TicketState, token: Token): TicketState {
  const known = state.tokens.some((one) => one.no === token.no);
  return {
    ...state,
    tokens: known ? state.tokens.map((one) => (one.no === token.no ? token : one)) : [...state.tokens, token],
  };
}
/** The ticket after its log rows, in order of `seq`. */
export function replay(state: TicketState, log: readonly LogEntry[]): TicketState {
  return log.reduce((before, entry) => ({ ...entry.events.reduce(apply, before), seq: entry.seq }), state);
}
/** The state that a ticket shows: that of its first active token, else of its first. Null before it starts. */
export function mainStateId(state: TicketState): number | null {
  return (state.tokens.find((token) => token.status === 'active') ?? state.tokens[0])?.state_id ?? null;
}
export function isOver(state: TicketState): boolean {
  return state.deleted || isOverState(state.act_state);
}
export function isOpen(task: Pick<Task, 'status'>): boolean {
  return task.status === 'todo' || task.status === 'waiting';
}
/** True if the task's person has voted on how to leave the state; an opinion on another's task is no vote. */
export function hasVoted({ status, answers }: Pick<Task, 'status' | 'answers'>): boolean {
  return !answers && (status === 'agree' || status === 'refuse' || status === 'other');
}
/** True if a task answers somebody who delegated theirs, even after it was handed on. */
export function answersDelegation(state: TicketState, no: number | null): boolean {
  const task = state.tasks.find((one) => one.no === no);
  return task?.origin === 'delegate' || (task?.origin === 'deliver' && answersDelegation(state, task.origin_no));
}
/** True if a task has reached its person; one that waits for an opinion had reached them before. */
export function hasCome(state: TicketState, task: Task): boolean {
  if (task.status !== 'waiting') return task.status !== 'skipped';
  return state.tasks.some((other) => other.origin_no === task.no && other.answers);
}
/** The status of an open task that ends undecided: a person who was never asked does not see the ticket because of it. */
export function endingOf(state: TicketState, task: Task): 'cancelled' | 'skipped' {
  return hasCome(state, task) ? 'cancelled' : 'skipped';
}
/** Everybody a ticket waits for. */
export function busyIn(state: TicketState): Set<number> {
  return new Set(state.tasks.filter((task) => task.status === 'todo').map((task) => task.assignee));
}
/** Tasks waiting for this person now; the duty list holds exactly these. */
export function dutiesOf(state: TicketState, person: number): Task[] {
  return state.tasks.filter((task) => task.status === 'todo' && task.assignee === person);
}
