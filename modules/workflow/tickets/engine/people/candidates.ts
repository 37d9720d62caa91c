import { distributeType, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { asksPeople, stateOf, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { peopleFor, type Assignment } from './assigning.ts';
import { skip } from '../ways/routing.ts';
import { isStall, stall, unstall } from '../stalling.ts';
import { settle } from '../ways/settling.ts';
import { hasVoted, isOpen, isOver, type Task, type TicketState, type Token } from '../state.ts';
import { begin, change, lastEntry, open, tokenOf, type Work } from '../work.ts';

const sets: readonly number[] = [
  participantType.dept,
  participantType.role,
  participantType.post,
  participantType.group,
];

/** True if a state asks anyone of a department, a role, a post or a user group: every member may do it. */
export function isPool(state: State): boolean {
  const { type } = state.distribution;
  return (
    asksPeople(state) &&
    (type === distributeType.claim || type === distributeType.direct) &&
    state.participants.some((who) => sets.includes(who.type))
  );
}

/**
 * Updates the candidates of tasks that wait for anyone of a department or role: new members get a task, former ones lose it. What one of them has
 * claimed, or had alone from the beginning, stays theirs. A suspended ticket is updated when it is resumed.
 */
export function askCandidatesAgain(work: Work): void {
  if (work.state.suspended) return;
  for (const { no } of work.state.tokens) {
    const token = tokenOf(work, no);
    const waits = token.status === 'active' && !isOver(work.state);
    if (waits && isPool(stateOf(work.definition, token.state_id))) askAgain(work, token);
  }
}

function askAgain(work: Work, token: Token): void {
  const state = stateOf(work.definition, token.state_id);
  const here = hereOf(work.state, token);
  const open = here.filter(isOpen);
  const stalled = open.length > 0 && open.every(isStall);
  const free = stalled ? open : freeIn(state, here);
  if (free.length === 0) return;
  const found = peopleFor(work, state, token.returned);
  if (stalled && found.lack) return;
  if (found.skip && !mayPass(state, here, free)) return;
  const stays = (task: Task) => !found.skip && !isStall(task) && found.people.includes(task.assignee);
  const gone = free.filter((task) => !stays(task));
  const alone = state.distribution.type === distributeType.claim && free.some((task) => !task.pooled && stays(task));
  const spares = (person: number) => found.spared.some(({ assignee }) => assignee === person);
  const fresh =
    found.skip || alone
      ? []
      : found.people.filter((person) => !spares(person) && !here.some((task) => hasPart(task, person)));
  if (gone.length + fresh.length === 0) return;
  reassignCandidates(work, token, { state, found, gone, fresh });
  const left = hereOf(work.state, token).some((task) => task.status === 'todo');
  if (found.lack) return left ? undefined : stall(work, token, found.lack.why);
  if (found.skip) return skip(work, tokenOf(work, token.no), state, found.people, found.why, 0);
  const [first] = here;
  if (first && !left) settle(work, first);
}

interface Reassignment {
  state: State;
  found: Assignment;
  gone: readonly Task[];
  fresh: readonly number[];
}

function reassignCandidates(work: Work, token: Token, { state, found, gone, fresh }: Reassignment): void {
  begin(work, null, 'regroup', state.id, { suggestion: '部门或角色的人员有变动' }, null);
  const { people, left_out, why } = found;
  if (!found.lack) lastEntry(work).trace.push({ about: 'people', state_id: state.id, people, left_out, why });
  if (gone.some(isStall)) unstall(work, token, '已有办理人');
  for (const task of gone) if (task.origin !== 'stall') change(work, task.no, 'expired', null, '已不在办理人范围内');
  const left = hereOf(work.state, token).filter((task) => task.status === 'todo').length;
  // If several could have claimed it, the last one left claims it too.
  const several = left + fresh.length > 1 || gone.some((task) => task.pooled);
  const { distribution } = state;
  const pooled = distribution.type === distributeType.claim && (several || distribution.always === true);
  for (const [index, person] of fresh.entries()) open(work, token, person, 'todo', left + index, pooled);
}

const hereOf = (state: TicketState, { no, visit }: Token) => visitOf(state, { token: no, visit });

function visitOf(state: TicketState, { token, visit }: Pick<Task, 'token' | 'visit'>): Task[] {
  return state.tasks.filter((task) => task.token === token && task.visit === visit);
}

/** Somebody who lost a task by leaving may get one again. */
const hasPart = ({ assignee, status, origin }: Task, person: number) =>
  assignee === person && status !== 'expired' && origin !== 'stall';

/** Tasks that may change hands: the state itself assigned them, nothing depends on them, and nobody has claimed the matter. */
function freeIn({ distribution }: State, here: readonly Task[]): Task[] {
  const asked = here.filter((task) => task.origin === 'assign' && task.status === 'todo');
  const claimed =
    distribution.type === distributeType.claim &&
    here.some((task) => task.origin !== 'assign' || (isOpen(task) && !task.pooled && here.some((one) => one.pooled)));
  return claimed ? [] : asked.filter((task) => !here.some((other) => other.origin_no === task.no));
}

/** True if a task follows the membership of a department or role; not while the ticket is suspended. */
export function isCandidateOf(work: Work, task: Task): boolean {
  const state = stateOf(work.definition, task.state_id);
  return !work.state.suspended && isPool(state) && freeIn(state, visitOf(work.state, task)).includes(task);
}

/** True if a state that now needs nobody may be skipped although it has been asking: nobody has begun there. */
function mayPass({ kind }: State, here: readonly Task[], free: readonly Task[]): boolean {
  const begun = here.some((task) => hasVoted(task) || (isOpen(task) && !free.includes(task)));
  return !begun && kind !== 'subticket';
}
