import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { asksEverybody, stateOf, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { openAll } from './people/assigning.ts';
import { candidatesOf } from './moves/handling.ts';
import { ask, whoIsAsked, type PeopleQuery } from './people/people.ts';
import { isBarred } from './four-eyes.ts';
import { askCandidatesAgain, isCandidateOf } from './people/candidates.ts';
import { settle } from './ways/settling.ts';
import { hasKeepers, isStall, stall } from './stalling.ts';
import { hasCome, hasVoted, isOpen, isOver, type Task, type TicketState } from './state.ts';
import { begin, change, lastEntry, open, tokenOf, visitTasks, type Work } from './work.ts';

/** The person who takes over a leaver's task, and the reason that people are told. */
interface Heir {
  kind: 'stand_in' | 'superior' | 'workflow_admins';
  why: string;
}
const heirs: Record<'stand_in' | 'head' | 'admins', Heir> = {
  stand_in: { kind: 'stand_in', why: '转由其代办人处理' },
  head: { kind: 'superior', why: '转由其上级处理' },
  admins: { kind: 'workflow_admins', why: '转由流程管理员处理' },
};
const gone = '办理人已离岗';
const works = (work: Work, person: number) => ask(work.facts.people, [{ kind: 'user', of: person }]).length > 0;

/**
 * Passes on all open tasks of a person who has left, including suspended and future ones; drafts stay theirs. Does nothing while they still work
 * here. Tasks of departments and roles that are asked anew are left to `reassignCandidates`.
 */
export function passOnFrom(work: Work, person: number): void {
  const theirs = () => work.state.tasks.filter((task) => isOpen(task) && task.assignee === person);
  if (isOver(work.state) || work.state.act_state === actState.draft || theirs().length === 0) return;
  if (works(work, person)) return;
  for (const task of theirs()) if (!isCandidateOf(work, task)) passOn(work, task.no);
  askCandidatesAgain(work);
  for (const { no } of theirs()) passOn(work, no);
}

/** After an action, passes on what came back to somebody who has left, so that nothing is opened for them. */
export function passOnReopened(work: Work, before: TicketState): void {
  const seen = new Set<number>();
  for (let next = reopened(work, before, seen); next; next = reopened(work, before, seen)) {
    seen.add(next.no);
    if (!works(work, next.assignee)) passOn(work, next.no);
  }
}

/** A task that somebody has again, by their turn, an answer, a release or a decision taken back; or a ticket returned to its creator. */
function reopened({ state, log, definition }: Work, before: TicketState, seen: ReadonlySet<number>): Task | undefined {
  if (isOver(state) || state.act_state === actState.draft) return undefined;
  const had = new Map(before.tasks.map((task) => [task.no, task]));
  return state.tasks.find((task) => {
    if (!isOpen(task) || isStall(task) || seen.has(task.no) || task.assignee === log[0]?.actor) return false;
    const was = had.get(task.no);
    if (!was) return stateOf(definition, task.state_id).kind === 'start';
    return (
      !isOpen(was) || (was.status === 'waiting' && task.status === 'todo') || (before.suspended && !state.suspended)
    );
  });
}

function passOn(work: Work, no: number): void {
  const task = work.state.tasks.find((one) => one.no === no);
  // Passing on an earlier task may have moved the ticket.
  if (!task || !isOpen(task)) return;
  const state = stateOf(work.definition, task.state_id);
  if (isStall(task)) return callOthers(work, task);
  if (giveBack(work, task)) return;
  const alone = !asksEverybody(state) && state.kind !== 'start' && isPlain(work, task);
  if (alone && leaveToOthers(work, task, state)) return;
  for (const heir of orderOf(work, state)) {
    const free = ask(work.facts.people, [queryOf(heir, task)]).filter(
      (person) =>
        person !== work.state.creator &&
        !isBarred(work.definition, work.state, state, person) &&
        hasNoPart(work, task, person),
    );
    if (free.length === 0) continue;
    said(work, task, `${gone}，${heir.why}`);
    return alone && heir.kind === 'workflow_admins'
      ? openAll(work, tokenOf(work, task.token), state, free, 'admin')
      : inherit(work, task, free[0]!);
  }
  dropSeat(work, task);
}

function orderOf({ definition }: Work, state: State): Heir[] {
  const order = ['stand_in', 'head', 'admins'] as const;
  const all = order.slice(order.indexOf(definition.settings.on_leaving)).map((key) => heirs[key]);
  // A delegate never gets a ticket that somebody began themselves.
  return state.kind === 'start' ? all.filter((heir) => heir.kind !== 'stand_in') : all;
}

const queryOf = ({ kind }: Heir, task: Task): PeopleQuery => ({
  kind,
  of: kind === 'workflow_admins' ? null : task.assignee,
});

/** Nobody gets a second seat, nor one in addition to a decision on somebody's behalf. */
function hasNoPart(work: Work, task: Task, person: number): boolean {
  const { delegates } = work.facts.rights;
  return !visitTasks(work, task).some(
    (other) => (other.assignee === person && (isOpen(other) || hasVoted(other))) || delegates?.get(other.no) === person,
  );
}

/** True if the state itself created the task, and nobody was added to it. */
function isPlain(work: Work, task: Task): boolean {
  return (
    task.group_no === 0 && !work.state.tasks.some((other) => other.origin_no === task.no && other.origin !== 'deliver')
  );
}

function said(work: Work, task: Task, suggestion: string): void {
  begin(work, null, 'left', task.state_id, { suggestion }, null);
  lastEntry(work).task_nos.push(task.no);
  // Somebody who was never asked does not see the ticket because of it.
  change(work, task.no, hasCome(work.state, task) ? 'expired' : 'skipped', null, gone);
}

/** A claimed task goes back to those who may claim it. */
function giveBack(work: Work, task: Task): boolean {
  const pool = candidatesOf(work.state, task).filter((other) => works(work, other.assignee));
  if (pool.length === 0) return false;
  said(work, task, `${gone}，退回给可以接单的人`);
  for (const other of pool) change(work, other.no, 'todo', null, '');
  return true;
}

/** If any one person is enough, the others of the state take over: those who have a task already, else those the state asks now. */
function leaveToOthers(work: Work, task: Task, state: State): boolean {
  const there = visitTasks(work, task);
  const { people } = work.facts;
  if (there.some((other) => other.status === 'todo' && other.group_no === 0)) {
    said(work, task, `${gone}，由其他办理人处理`);
    return true;
  }
  const now = whoIsAsked(work.definition, state, work.state, people).filter(
    (person) => hasNoPart(work, task, person) && !isBarred(work.definition, work.state, state, person),
  );
  if (now.length === 0) return false;
  said(work, task, `${gone}，改由这个环节现在的人处理`);
  openAll(work, tokenOf(work, task.token), state, now);
  return true;
}

/** One person takes over the seat, with its vote and its added signers. */
function inherit(work: Work, task: Task, person: number): void {
  const { group_seq, group_no, mode, answers } = task;
  const more = { origin: 'deliver', origin_no: task.no, group_no, mode, answers } as const;
  const status = task.status === 'waiting' ? 'waiting' : 'todo';
  open(work, tokenOf(work, task.token), person, status, group_seq, false, more);
}

/** A call for help goes to the workflow's present administrators; it has no vote to pass on. */
function callOthers(work: Work, task: Task): void {
  if (!hasKeepers(work)) return;
  said(work, task, `${gone}，请其他流程管理员处理`);
  if (!visitTasks(work, task).some(isStall)) stall(work, tokenOf(work, task.token), task.reason);
}

/**
 * If nobody can take the seat, the others decide without it; if it was the only one, the administrators help. A suspended ticket is not moved by
 * that: the next decision settles it, or the seat waits until the ticket is resumed.
 */
function dropSeat(work: Work, task: Task): void {
  const beside = visitTasks(work, task);
  const { suspended } = work.state;
  if (suspended && !beside.some((other) => other.status === 'todo')) return;
  const others = beside.some((other) => isOpen(other) || hasVoted(other));
  if (!others && !hasKeepers(work)) return;
  said(work, task, others ? `${gone}，由其他办理人处理` : `${gone}，请流程管理员处理`);
  if (suspended) return;
  if (others) settle(work, task);
  else stall(work, tokenOf(work, task.token), `${gone}，没有其他人可以接办`);
}
