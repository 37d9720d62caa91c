import { invalid } from '#kernel/contract/refusal.ts';
import { actState, distributeType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  isSave,
  startOf,
  stateOf,
  type Definition,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import { countsStarted, whyNotStart } from '#modules/workflow/workflows/engine/start-rule.ts';
import { cannotStart } from '../../contract/refusals.ts';
import { remember } from './going-back.ts';
import { mention } from './talking.ts';
import { decisionOf } from '#modules/workflow/workflows/engine/votes/outcome.ts';
import { ask } from '../people/people.ts';
import { askCandidatesAgain } from '../people/candidates.ts';
import { settle } from '../ways/settling.ts';
import { isOpen, type Task, type TicketState } from '../state.ts';
import { begin, cancel, change, collapse, emit, lastEntry, open, tokenOf, visitTasks, type Work } from '../work.ts';
import { write, type Words } from './writing.ts';

/** The form may have a field called `mentions`. */
const mentionField = 'suggestion_mentions';

type Taking = Words & { actor: number };

/** Starts a ticket, as a draft or submitted. */
export function create(work: Work, command: Taking, transition: Transition): void {
  const { definition } = work;
  refuseBeyondLimit(work, command.actor);
  const start = startOf(definition);
  begin(work, command.actor, isSave(definition, transition) ? 'save' : 'submit', start.id, command, transition);
  emit(work, { type: 'token_entered', token: 1, state_id: start.id, visit: 1, branch: '', returned: false });
  const task = open(work, tokenOf(work, 1), command.actor, 'todo', 0, false);
  applyAction(work, command, task, transition);
}

/** A draft does not count: the limit is checked when it is saved, and again when it is submitted. */
function refuseBeyondLimit({ definition, facts, state }: Work, actor: number): void {
  const { limit } = definition.settings;
  if (countsStarted(limit) && !facts.started) throw new Error('a limit that counts needs facts.started');
  const who = state.begun_by === null ? '您' : `“${facts.creator.alias}”`;
  const why = whyNotStart(limit, { id: actor, ...facts.creator }, facts.started ?? { in_period: 0, open: 0 }, who);
  if (why) throw cannotStart(why);
}

/** Decides a task by a transition. */
export function handle(work: Work, command: Taking, task: Task, transition: Transition): void {
  const { definition, state } = work;
  const atStart = task.state_id === startOf(definition).id;
  const action = isSave(definition, transition) ? 'save' : atStart ? 'submit' : 'handle';
  if (action === 'submit' && state.act_state === actState.draft) refuseBeyondLimit(work, command.actor);
  begin(work, command.actor, action, task.state_id, command, transition);
  if (action === 'save' && command.mentions?.length)
    throw invalid([{ field: mentionField, label: '提到的人', msg: '保存时不通知任何人，请在提交或办理时再提到同事' }]);
  mention(work, command.mentions, mentionField);
  if (action === 'handle' && !work.facts.by_itself) remember(work, command.actor);
  const backWithCreator = state.act_state === actState.returned || state.act_state === actState.withdrawn;
  if (action === 'submit' && backWithCreator) emit(work, { type: 'round_started', round: state.round + 1 });
  applyAction(work, command, task, transition);
}

/** Writes the form, records the decision and moves on if that settles the state. */
function applyAction(work: Work, words: Words, task: Task, transition: Transition): void {
  const save = isSave(work.definition, transition);
  write(work, words, task, transition, !save && transition.field_require_check);
  if (save) return;
  lastEntry(work).task_nos.push(task.no);
  change(work, task.no, decisionOf(transition), transition.id, words.suggestion);
  settle(work, task);
}

/** Claims a shared task; the others' tasks end. */
export function accept(work: Work, actor: number, task: Task): void {
  begin(work, actor, 'accept', task.state_id, { suggestion: '' }, null);
  lastEntry(work).task_nos.push(task.no);
  emit(work, { type: 'task_claimed', no: task.no });
  cancel(
    work,
    visitTasks(work, task).filter((other) => other.pooled),
    '他人已接单',
  );
}

/** The tasks of others who could have claimed this task. */
export function candidatesOf(state: TicketState, task: Task): Task[] {
  if (task.pooled || task.answers || (task.origin !== 'assign' && task.origin !== 'admin')) return [];
  const beside = state.tasks.filter((other) => other.token === task.token && other.visit === task.visit);
  if (beside.some((other) => other.no !== task.no && isOpen(other))) return [];
  return beside.filter((other) => other.pooled && other.status === 'cancelled');
}

/** True if a claimed task may be released: to others, or to the only person it was offered to. */
export function mayRelease(definition: Definition, state: TicketState, task: Task): boolean {
  if (candidatesOf(state, task).length > 0) return true;
  const { kind, distribution } = stateOf(definition, task.state_id);
  const alone = kind !== 'start' && distribution.type === distributeType.claim && distribution.always;
  return Boolean(alone) && !task.pooled && task.origin === 'assign' && visitOf(state, task).length === 1;
}

const visitOf = ({ tasks }: TicketState, { token, visit }: Task) =>
  tasks.filter((other) => other.token === token && other.visit === visit);

/** Returns a claimed task to those who belong to its group now. */
export function release(work: Work, { actor, suggestion }: { actor: number; suggestion: string }, task: Task): void {
  const pool = candidatesOf(work.state, task);
  const working = ask(
    work.facts.people,
    pool.map((other) => ({ kind: 'user', of: other.assignee })),
  );
  begin(work, actor, 'release', task.state_id, { suggestion }, null);
  lastEntry(work).task_nos.push(task.no);
  emit(work, { type: 'task_released', no: task.no });
  for (const other of pool) if (working.includes(other.assignee)) change(work, other.no, 'todo', null, '');
  askCandidatesAgain(work);
}

/** Deletes a draft that was never submitted. */
export function remove(work: Work, actor: number): void {
  const at = work.state.tokens[0]?.state_id ?? startOf(work.definition).id;
  begin(work, actor, 'delete', at, { suggestion: '' }, null);
  emit(work, { type: 'token_done', token: collapse(work, '工单已删除').no });
  emit(work, { type: 'deleted' });
}
