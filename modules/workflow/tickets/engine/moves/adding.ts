import { invalid } from '#kernel/contract/refusal.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { isBarred, isOwn, mayDecideOwn, whoWrote } from '../four-eyes.ts';
import { ask } from '../people/people.ts';
import { mention } from './talking.ts';
import { settle } from '../ways/settling.ts';
import { slotsOf, tasksIn, type Slot } from '../ways/slots.ts';
import { isStall } from '../stalling.ts';
import {
  answersDelegation,
  hasVoted,
  isOpen,
  type GroupMode,
  type Task,
  type TaskOrigin,
  type TicketState,
} from '../state.ts';
import { begin, cancel, change, lastEntry, calledIn, open, tokenOf, visitTasks, type Work } from '../work.ts';

export interface Asked {
  actor: number;
  people: readonly string[];
  suggestion: string;
}
const reject = (msg: string) => invalid([{ field: 'target_username', label: '用户', msg }]);

/** The ids of people named to take part in a task's visit. Throws `invalid` for those who may not. */
function invited(work: Work, task: Task, { actor, people }: Asked): number[] {
  const queries = people.map((of) => ({ kind: 'username', of }) as const);
  ask(work.facts.people, queries);
  const state = stateOf(work.definition, task.state_id);
  const own = mayDecideOwn(state);
  const { delegates } = work.facts.rights;
  const sat = (other: Task, person: number) =>
    other.assignee === person || (!state.several_seats && delegates?.get(other.no) === person);
  const there = visitTasks(work, task);
  const ids = queries.map((query) => {
    const [person] = ask(work.facts.people, [query]);
    const called = calledIn(work, query.of);
    if (person === undefined) throw reject(`用户“${called}”不存在或已停用`);
    if (person === actor) throw reject('不能选择自己，请选择他人');
    if (person === task.assignee && !task.pooled) throw reject(`“${called}”已经在处理这个环节，请选择他人`);
    if (person === work.state.creator && !own)
      throw reject(`“${called}”是工单的发起人，不能审批自己的工单，请选择他人`);
    if (isOwn(work.state, person) && !own)
      throw reject(`“${called}”是这张工单${whoWrote(work.state)}，不能审批它，请选择他人`);
    if (!isOwn(work.state, person) && isBarred(work.definition, work.state, state, person))
      throw reject(`“${called}”办过前面的环节，按流程规定不能再办这一步，请选择他人`);
    if (there.some((other) => other.assignee === person && isOpen(other)))
      throw reject(`“${called}”已经在处理这个环节，请选择他人`);
    if (there.some((other) => sat(other, person) && hasVoted(other)))
      throw reject(`“${called}”已经处理过这个环节，请选择他人`);
    return person;
  });
  if (ids.length === 0) throw reject('请选择用户');
  return [...new Set(ids)];
}

/** Hands a task over for good, with its seat and its vote. */
export function deliver(work: Work, task: Task, asked: Asked): void {
  begin(work, asked.actor, 'deliver', task.state_id, asked, null);
  // Somebody who might have claimed it may be named too.
  const stalled = isStall(task);
  if (task.pooled || stalled)
    cancel(
      work,
      visitTasks(work, task).filter((other) => other.pooled || (stalled && isStall(other))),
      '已指定他人处理',
    );
  const [person] = invited(work, task, asked);
  if (person === undefined) throw reject('请选择用户');
  lastEntry(work).task_nos.push(task.no);
  change(work, task.no, task.pooled ? 'cancelled' : 'transferred', null, asked.suggestion);
  const { group_seq, group_no, mode, answers } = task;
  const more = { origin: 'deliver', origin_no: task.no, group_no, mode, answers } as const;
  const status = task.status === 'waiting' ? 'waiting' : 'todo';
  open(work, tokenOf(work, task.token), person, status, group_seq, false, more);
}

/** Asks somebody for an answer first; then the task comes back. */
export function delegate(work: Work, task: Task, asked: Asked): void {
  begin(work, asked.actor, 'delegate', task.state_id, asked, null);
  add(work, task, invited(work, task, asked).slice(0, 1), 'delegate', 'all');
}

export const addOrigins = { before: 'add_before', parallel: 'add_parallel', after: 'add_after' } as const;

/** Adds signers before a task, which waits for them, beside it, or after it. */
export function addSigners(
  work: Work,
  task: Task,
  asked: Asked & { how: keyof typeof addOrigins; mode: GroupMode },
): void {
  begin(work, asked.actor, 'add_node', task.state_id, asked, null);
  add(work, task, invited(work, task, asked), addOrigins[asked.how], asked.mode);
}

function add(work: Work, task: Task, people: readonly number[], origin: TaskOrigin, mode: GroupMode): void {
  const first = origin === 'add_before' || origin === 'delegate';
  // Somebody asked by a person without a vote has none either.
  const answers = first || task.answers;
  lastEntry(work).task_nos.push(task.no);
  if (first) change(work, task.no, 'waiting', null, '');
  const group_no = work.state.tasks.length + 1;
  for (const [index, person] of people.entries()) {
    const later = origin === 'add_after' || (mode === 'sequential' && index > 0);
    const more = { origin, origin_no: task.no, group_no, mode, answers };
    open(work, tokenOf(work, task.token), person, later ? 'waiting' : 'todo', index, false, more);
  }
}

type Answer = Pick<Asked, 'actor' | 'suggestion'> & { mentions?: readonly string[] | undefined };
/** Gives the opinion for which somebody was added. */
export function answer(work: Work, task: Task, { actor, suggestion, mentions }: Answer): void {
  const action = answersDelegation(work.state, task.no) ? 'reply' : 'add_node_end';
  begin(work, actor, action, task.state_id, { suggestion }, null);
  mention(work, mentions);
  lastEntry(work).task_nos.push(task.no);
  change(work, task.no, 'other', null, suggestion);
  settle(work, task);
}

/** Removes an added signer, and everyone they added. */
export function takeAway(work: Work, no: number, { actor, suggestion }: Pick<Asked, 'actor' | 'suggestion'>): void {
  const task = work.state.tasks.find((one) => one.no === no);
  if (!task) throw new Error(`task ${no} is not there`);
  begin(work, actor, 'remove_node', task.state_id, { suggestion }, null);
  lastEntry(work).task_nos.push(no);
  const slot = everySlot(slotsOf(work.state, task.token, task.visit)).find((one) => one.task.no === no);
  cancel(work, slot ? tasksIn(slot) : [task], '已减签');
  settle(work, task);
}

/** Added signers who have not answered, in this person's seats; in all seats if null. */
export function removable(state: TicketState, person: number | null): number[] {
  const visits = new Map(state.tasks.filter(isOpen).map((task) => [`${task.token}/${task.visit}`, task]));
  return [...visits.values()].flatMap((some) =>
    everySlot(slotsOf(state, some.token, some.visit))
      .filter((slot) => person === null || slot.task.assignee === person)
      .flatMap((slot) => slot.groups.flatMap((group) => group.members))
      .filter((member) => isOpen(member.task))
      .map((member) => member.task.no),
  );
}

function everySlot(slots: readonly Slot[]): Slot[] {
  return slots.flatMap((slot) => [slot, ...slot.groups.flatMap((group) => everySlot(group.members))]);
}
