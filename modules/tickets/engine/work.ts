import { interveneType, type ActState } from '#modules/workflows/engine/codes.ts';
import type { Definition, Transition } from '#modules/workflows/engine/definition.ts';
import type { Started } from '#modules/workflows/engine/start-rule.ts';
import type { Vote } from './outcome.ts';
import type { Answers } from './people.ts';
import {
  apply,
  type Event,
  type LogAction,
  type LogEntry,
  type Task,
  type TaskStatus,
  type TicketState,
  type Token,
  type Trace,
} from './state.ts';

/** What the core cannot know by itself, read before in the same transaction. */
export interface Facts {
  creator: { alias: string; dept_path: readonly number[]; roles: readonly string[] };
  /** Answers to the queries an earlier `decide` asked, by `queryKey`: ids of active people. */
  people: Answers;
  /** For a create under a limit that counts. */
  started?: Started;
  /** Between 0 and 1, for drawing by lot. */
  random: number;
}

interface Entry extends LogEntry {
  to_state_id: number;
  task_nos: number[];
  events: Event[];
  trace: Trace[];
}

/** One decision in the making: the ticket as it is by now, and the log rows that brought it there. */
export interface Work {
  readonly definition: Definition;
  readonly facts: Facts;
  state: TicketState;
  log: Entry[];
}

const interventions: Partial<Record<LogAction, LogEntry['intervene_type']>> = {
  accept: interveneType.accept,
  delete: interveneType.delete,
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

export function open(
  work: Work,
  token: Token,
  assignee: number,
  status: TaskStatus,
  group_seq: number,
  pooled: boolean,
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
    status,
    pooled,
    transition_id: null,
    reason: '',
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

export function votesOf(work: Work, task: Task): Vote[] {
  const voting = ['todo', 'waiting', 'agree', 'refuse', 'other'];
  return work.state.tasks.filter(
    (other): other is Task & Vote =>
      other.token === task.token && other.visit === task.visit && voting.includes(other.status),
  );
}

export function tokenOf(work: Work, no: number): Token {
  const token = work.state.tokens.find((candidate) => candidate.no === no);
  if (!token) throw new Error(`token ${no} is not there`);
  return token;
}
