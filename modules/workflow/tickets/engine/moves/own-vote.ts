import { distributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { exitsOf, stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { outcome } from '#modules/workflow/workflows/engine/votes/outcome.ts';
import { askCandidatesAgain } from '../people/candidates.ts';
import { settle } from '../ways/settling.ts';
import { slotsOf, votesOf } from '../ways/slots.ts';
import { hasVoted, isOver, type Task, type TicketState, type Token } from '../state.ts';
import { begin, change, lastEntry, type Work } from '../work.ts';
import { mayTakeBack, takeBack } from './going-back.ts';

/** A person's vote that may be taken back; `settled`: the votes have moved the ticket on, and nobody has acted since. */
export interface OwnVote {
  task: Task;
  settled: boolean;
}

/**
 * The vote of one of several who decide together, even if others have voted since: it may be taken back while they are voting, and afterwards until
 * somebody acts in a following state. In sequential voting the next voter has acted on it.
 */
export function ownVote(definition: Definition, state: TicketState, person: number): OwnVote | null {
  if (isOver(state) || state.suspended) return null;
  const { undo } = state;
  for (const task of state.tasks.toReversed()) {
    if (task.assignee !== person || !hasVoted(task) || task.origin === 'keep') continue;
    const { distribution } = definition.states.find(({ id }) => id === task.state_id) ?? {};
    if (distribution?.type !== distributeType.all || state.tasks.some((one) => one.origin_no === task.no)) continue;
    const isOf = ({ no, visit, status }: { no: number; visit: number; status: string }) =>
      no === task.token && visit === task.visit && status === 'active';
    if (state.tokens.some(isOf)) return { task, settled: false };
    // Another branch's decision is not part of the vote, although it ended this stay.
    const isOfStay = (one: Task) => one.token === task.token && one.visit === task.visit && hasVoted(one);
    const wasOpen = new Set(undo?.tasks.map(({ no }) => no));
    const last = state.tasks.some((one) => one.assignee === undo?.actor && wasOpen.has(one.no) && isOfStay(one));
    if (last && undo?.actor !== person && undo?.tokens.some(isOf) && hangsOn(definition, state, task))
      return { task, settled: true };
  }
  return null;
}

/** True if the other votes alone leave it open: if they settle it by themselves, taking this one back changes nothing. */
function hangsOn(definition: Definition, state: TicketState, task: Task): boolean {
  const before = new Map(state.undo?.tasks.map((one) => [one.no, one.status]));
  const tasks = state.tasks.map((one): Task => {
    if (one.no === task.no) return { ...one, status: 'todo', transition_id: null };
    return hasVoted(one) ? one : { ...one, status: before.get(one.no) ?? one.status };
  });
  const votes = votesOf(slotsOf({ ...state, tasks }, task.token, task.visit));
  return 'wait' in outcome(stateOf(definition, task.state_id).distribution, votes, exitsOf(definition, task.state_id));
}

/** True if a person may take something back: the last action, or their vote among others. */
export const mayUndo = (definition: Definition, state: TicketState, person: number): boolean =>
  mayTakeBack(state, person) || ownVote(definition, state, person) !== null;

/** True if a decision cannot be taken back because tickets run below the stay it led to. `below`: the states with such tickets. */
export function isHeldBelow(
  definition: Definition,
  state: TicketState,
  person: number,
  below: readonly number[] = [],
): boolean {
  if (definition.settings.children_on_retreat === 'close' || !mayUndo(definition, state, person)) return false;
  const kept = (token: Token) => state.undo?.tokens.some((one) => one.no === token.no && one.visit === token.visit);
  return state.tokens.some((token) => token.status === 'active' && below.includes(token.state_id) && !kept(token));
}

/** Reopens a vote. The other votes stand, and are counted again at once if the ticket had gone on. */
export function takeVoteBack(work: Work, actor: number, suggestion: string, { task, settled }: OwnVote): void {
  if (!settled) {
    begin(work, actor, 'retreat', stateOf(work.definition, task.state_id).id, { suggestion }, null);
    lastEntry(work).task_nos.push(task.no);
    change(work, task.no, 'todo', null, '');
    return askCandidatesAgain(work);
  }
  const before = new Set(work.state.undo?.tasks.map(({ no }) => no));
  const since = work.state.tasks.filter((one) => before.has(one.no) && hasVoted(one));
  takeBack(work, actor, suggestion);
  lastEntry(work).task_nos.push(task.no);
  for (const { no, status, transition_id, reason } of since) change(work, no, status, transition_id, reason);
  change(work, task.no, 'todo', null, '');
  settle(work, task);
}
