import { interveneType, type ActState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, Transition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Works } from '#modules/workflow/workflows/engine/formula/evaluate.ts';
import type { Started } from '#modules/workflow/workflows/engine/start-rule.ts';
import type { Names } from './fields.ts';
import type { FormsDecided } from './differing.ts';
import type { Rights } from './ways/offers.ts';
import type { Answers } from './people/people.ts';
import {
  apply,
  endingOf,
  isOpen,
  type Event,
  type LogAction,
  type LogEntry,
  type RecordContent,
  type Task,
  type TaskStatus,
  type TicketState,
  type Token,
  type Trace,
} from './state.ts';

/** Facts the core cannot know by itself, read before in the same transaction. */
export interface Facts {
  creator: { alias: string; dept_path: readonly number[]; roles: readonly string[] };
  /** Answers to the queries an earlier `decide` asked, by `queryKey`: ids of active people. */
  people: Answers;
  /** Names of the people whose user names were looked up. */
  names?: Names;
  /** Task number → the form as its person decided it, if requested. */
  forms?: FormsDecided | undefined;
  /** The present content of the ticket's record, if requested; empty for a plain ticket or if its module has none. */
  record?: RecordContent | undefined;
  /** Working days, if the form counts them. */
  works?: Works | undefined;
  /** For creating or changing a draft, if a limit counts. */
  started?: Started;
  /** The system decides on somebody's behalf: they cannot take it back. */
  by_itself?: boolean;
  /** True if it decides a module's record, which has pages of its own. */
  of_record?: boolean;
  /** Somebody else acts for the task's owner: it is not the owner's own opinion. */
  in_stead?: boolean;
  /** Between 0 and 1, for drawing lots. */
  random: number;
  /** The rights of the actor. */
  rights: Rights;
}

/** A person's name in a sentence; for an unknown person the user name that was sent. */
export const calledIn = ({ facts }: Pick<Work, 'facts'>, username: string): string =>
  facts.names?.get(username) ?? username;

interface Entry extends LogEntry {
  to_state_id: number;
  task_nos: number[];
  events: Event[];
  trace: Trace[];
}

/** A decision in the making: the ticket so far, and the log rows that led there. */
export interface Work {
  readonly definition: Definition;
  readonly facts: Facts;
  state: TicketState;
  log: Entry[];
}

const interventions: Partial<Record<LogAction, LogEntry['intervene_type']>> = {
  timer: interveneType.timeout,
  answer: interveneType.hook,
  accept: interveneType.accept,
  release: interveneType.accept,
  suspend: interveneType.state,
  resume: interveneType.state,
  revoke: interveneType.close,
  delete: interveneType.delete,
  apply_finish: interveneType.state,
  end_leave: interveneType.state,
  deliver: interveneType.deliver,
  delegate: interveneType.deliver,
  add_node: interveneType.addNode,
  remove_node: interveneType.addNode,
  add_node_end: interveneType.addNodeEnd,
  reply: interveneType.addNodeEnd,
  retreat: interveneType.retreat,
  close: interveneType.close,
  state: interveneType.state,
  comment: interveneType.comment,
  urge: interveneType.urge,
  cc: interveneType.cc,
};

export function begin(
  work: Work,
  actor: number | null,
  action: LogAction,
  stateId: number,
  words: { suggestion: string },
  transition: Transition | null,
): void {
  const seq = work.state.seq + 1;
  work.log.push({
    seq,
    actor,
    action,
    intervene_type: interventions[action] ?? interveneType.normal,
    transition_id: transition?.id ?? null,
    from_state_id: stateId,
    to_state_id: stateId,
    suggestion: words.suggestion,
    task_nos: [],
    events: [],
    trace: [],
  });
  work.state = { ...work.state, seq };
}

export function emit(work: Work, event: Event): void {
  work.state = apply(work.state, event);
  lastEntry(work).events.push(event);
}

export function lastEntry(work: Work): Entry {
  const entry = work.log.at(-1);
  if (!entry) throw new Error('an event needs a log row');
  return entry;
}

/** Opens a task of the token's visit; `more` describes it if the state itself did not assign it. */
export function open(
  work: Work,
  token: Token,
  assignee: number,
  status: TaskStatus,
  group_seq: number,
  pooled: boolean,
  more: Partial<Pick<Task, 'origin' | 'origin_no' | 'group_no' | 'mode' | 'answers' | 'transition_id' | 'reason'>> = {},
): Task {
  const task: Task = {
    no: work.state.tasks.length + 1,
    token: token.no,
    visit: token.visit,
    state_id: token.state_id,
    round: work.state.round,
    assignee,
    origin: 'assign',
    origin_no: null,
    on_behalf_of: null,
    group_seq,
    group_no: 0,
    mode: null,
    answers: false,
    status,
    pooled,
    transition_id: null,
    reason: '',
    ...more,
  };
  emit(work, { type: 'task_opened', task });
  return task;
}

export function change(work: Work, no: number, status: TaskStatus, transition_id: number | null, reason: string): void {
  emit(work, { type: 'task_changed', no, status, transition_id, reason });
}

export function setActState(work: Work, to: ActState): void {
  const from = work.state.act_state;
  if (from !== to) emit(work, { type: 'act_state_changed', from, to });
}

/** The other tasks of the visit a task belongs to. */
export function visitTasks(work: Work, task: Task): Task[] {
  return work.state.tasks.filter(
    (other) => other.token === task.token && other.visit === task.visit && other.no !== task.no,
  );
}

/** Ends the open tasks among some; a task whose turn had not come is skipped, as its person was never asked. */
export function cancel(work: Work, tasks: readonly Task[], why: string): void {
  for (const task of tasks) if (isOpen(task)) change(work, task.no, endingOf(work.state, task), null, why);
}

/** Ends every open task, and every token but the trunk, which may then go anywhere. */
export function collapse(work: Work, why: string): Token {
  cancel(work, work.state.tasks, why);
  if (work.state.suspended) emit(work, { type: 'suspended', on: false });
  for (const token of work.state.tokens) {
    if (token.no !== 1 && token.status !== 'done') emit(work, { type: 'token_done', token: token.no });
  }
  return tokenOf(work, 1);
}

/** A number that no task of this token has had, so that an old visit is never mistaken for a new one. */
export function nextVisit(work: Work, token: Token): number {
  const visits = work.state.tasks.filter((task) => task.token === token.no).map((task) => task.visit);
  return 1 + Math.max(token.visit, ...visits);
}

export function tokenOf(work: Work, no: number): Token {
  const token = work.state.tokens.find((candidate) => candidate.no === no);
  if (!token) throw new Error(`token ${no} is not there`);
  return token;
}
