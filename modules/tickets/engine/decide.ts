import { Refusal } from '#kernel/contract/refusal.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import {
  exitsOf,
  isSave,
  startOf,
  stateOf,
  type Definition,
  type Transition,
} from '#modules/workflows/engine/definition.ts';
import { countsStarted, whyNotStart } from '#modules/workflows/engine/start-rule.ts';
import { cannotStart, notOffered } from '../contract/refusals.ts';
import { codesOf, offered, type Offer } from './offers.ts';
import { decisionOf, outcome } from './outcome.ts';
import { Unanswered, type PeopleQuery } from './people.ts';
import { leave } from './routing.ts';
import { isOver, type LogEntry, type Task, type TicketState } from './state.ts';
import { begin, change, emit, lastEntry, open, tokenOf, visitTasks, votesOf, type Facts, type Work } from './work.ts';
import { write, type Words } from './writing.ts';

/** `actor`: the id of the person who asks. `task_no` is needed only where the person has several tasks. */
export type Command =
  | ({ type: 'create'; actor: number; transition_id: number } & Words)
  | ({ type: 'handle'; actor: number; transition_id: number; task_no?: number } & Words)
  | { type: 'accept'; actor: number; task_no?: number }
  | { type: 'delete'; actor: number };

export type Decision =
  | { kind: 'decided'; log: LogEntry[]; state: TicketState }
  | { kind: 'refused'; refusal: Refusal }
  /** Resolve these, add them to `facts.people` and decide again. */
  | { kind: 'asks'; queries: PeopleQuery[] };

/**
 * What a command does to a ticket. Pure: knows no clock, database or organisation; the same arguments give the same answer.
 * `state` for a create is `newTicket(creator, dept)`.
 */
export function decide(definition: Definition, state: TicketState, command: Command, facts: Facts): Decision {
  const work: Work = { definition, facts, state, log: [] };
  try {
    perform(work, command);
    return { kind: 'decided', log: work.log, state: work.state };
  } catch (stop) {
    if (stop instanceof Refusal) return { kind: 'refused', refusal: stop };
    if (stop instanceof Unanswered) return { kind: 'asks', queries: stop.queries };
    throw stop;
  }
}

function perform(work: Work, command: Command): void {
  const offer = permit(work, command);
  switch (command.type) {
    case 'create':
      return create(work, command, offer);
    case 'handle':
      return handle(work, command, taskOf(work, offer), transitionOf(offer));
    case 'accept':
      return accept(work, command.actor, taskOf(work, offer));
    case 'delete':
      return remove(work, command.actor);
  }
}

/** The offer a command takes up; the same list the person was shown. */
function permit(work: Work, command: Command): Offer {
  const offers = offered(work.definition, work.state, command.actor);
  const wanted = 'transition_id' in command ? command.transition_id : null;
  const task = 'task_no' in command ? command.task_no : undefined;
  const offer = offers.find(
    (candidate) =>
      candidate.action === command.type &&
      (candidate.transition?.id ?? null) === wanted &&
      (task === undefined || candidate.task_no === task),
  );
  if (offer) return offer;
  throw notOffered(whyNot(work.state, offers), work.state.act_state, codesOf(offers));
}

function whyNot(state: TicketState, offers: readonly Offer[]): string {
  if (state.deleted) return '工单已删除';
  if (isOver(state)) return state.act_state === actState.closed ? '工单已关闭，不能再处理' : '工单已完成，不能再处理';
  if (offers.some((offer) => offer.action === 'accept')) return '这张工单需要先接单';
  return offers.length > 0
    ? '工单现在不能做这个操作，请刷新后再试'
    : '这张工单现在不由您处理，可能他人已经处理，请刷新查看';
}

function create(work: Work, command: Extract<Command, { type: 'create' }>, offer: Offer): void {
  const { definition, facts } = work;
  const limit = definition.settings.limit;
  if (countsStarted(limit) && !facts.started) throw new Error('a limit that counts needs facts.started');
  const why = whyNotStart(limit, { id: command.actor, ...facts.creator }, facts.started ?? { in_period: 0, open: 0 });
  if (why) throw cannotStart(why);
  const start = startOf(definition);
  const transition = transitionOf(offer);
  begin(work, command.actor, isSave(definition, transition) ? 'save' : 'submit', start.id, command, transition);
  emit(work, { type: 'token_entered', token: 1, state_id: start.id, visit: 1, branch: '', returned: false });
  const task = open(work, tokenOf(work, 1), command.actor, 'todo', 0, false);
  carryOut(work, command, task, transition);
}

function handle(work: Work, command: Extract<Command, { type: 'handle' }>, task: Task, transition: Transition): void {
  const { definition, state } = work;
  const atStart = task.state_id === startOf(definition).id;
  const action = isSave(definition, transition) ? 'save' : atStart ? 'submit' : 'handle';
  begin(work, command.actor, action, task.state_id, command, transition);
  const backWithCreator = state.act_state === actState.returned || state.act_state === actState.withdrawn;
  if (action === 'submit' && backWithCreator) emit(work, { type: 'round_started', round: state.round + 1 });
  carryOut(work, command, task, transition);
}

/** Writes the form, records the decision and, when that settles the state, moves on. */
function carryOut(work: Work, words: Words, task: Task, transition: Transition): void {
  const { definition } = work;
  const save = isSave(definition, transition);
  write(work, words, task, transition, !save && transition.field_require_check);
  if (save) return;
  lastEntry(work).task_nos.push(task.no);
  change(work, task.no, decisionOf(transition), transition.id, words.suggestion);
  const exits = exitsOf(definition, task.state_id);
  const result = outcome(stateOf(definition, task.state_id).distribution, votesOf(work, task), exits);
  if ('wait' in result) {
    if (result.wait !== null) change(work, result.wait, 'todo', null, '');
    return;
  }
  for (const other of visitTasks(work, task)) {
    if (other.status === 'todo' || other.status === 'waiting') change(work, other.no, 'cancelled', null, '他人已处理');
  }
  const way = exits.find((exit) => exit.id === result.go);
  if (!way) throw new Error(`outcome ${result.go} is no exit of state ${task.state_id}`);
  leave(work, tokenOf(work, task.token), way, 0);
}

function accept(work: Work, actor: number, task: Task): void {
  begin(work, actor, 'accept', task.state_id, { suggestion: '' }, null);
  lastEntry(work).task_nos.push(task.no);
  emit(work, { type: 'task_claimed', no: task.no });
  for (const other of visitTasks(work, task)) {
    if (other.pooled && other.status === 'todo') change(work, other.no, 'cancelled', null, '他人已接单');
  }
}

function remove(work: Work, actor: number): void {
  const at = work.state.tokens[0]?.state_id ?? startOf(work.definition).id;
  begin(work, actor, 'delete', at, { suggestion: '' }, null);
  for (const task of work.state.tasks) {
    if (task.status === 'todo' || task.status === 'waiting') change(work, task.no, 'cancelled', null, '工单已删除');
  }
  for (const token of work.state.tokens)
    if (token.status !== 'done') emit(work, { type: 'token_done', token: token.no });
  emit(work, { type: 'deleted' });
}

function taskOf(work: Work, offer: Offer): Task {
  const task = work.state.tasks.find((candidate) => candidate.no === offer.task_no);
  if (!task) throw new Error(`task ${offer.task_no} is not there`);
  return task;
}

function transitionOf(offer: Offer): Transition {
  if (!offer.transition) throw new Error('this offer is no transition');
  return offer.transition;
}
