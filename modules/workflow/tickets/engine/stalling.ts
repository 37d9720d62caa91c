import { nobodyThere } from '../contract/refusals.ts';
import { asksEverybody, asksPeople, stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { ask, hasDone } from './people/people.ts';
import { isOpen, isOver, type Task, type TicketState, type Token } from './state.ts';
import { cancel, lastEntry, open, type Work } from './work.ts';

/** The most administrators that one ticket calls for help. */
const mostKeepers = 50;

/** True if a task asks somebody to help a ticket that cannot go on by itself: it has no vote. */
export const isStall = ({ origin, status }: Pick<Task, 'origin' | 'status'>): boolean =>
  origin === 'stall' && isOpen({ status });

/**
 * The safety net: what the engine cannot do goes to the workflow's administrators, each with a task that gives the reason; the first to help ends it
 * for the others. Not to the applicant while there is anybody else. The caller has begun a log row.
 */
export function stall(work: Work, token: Token, why: string): void {
  const keepers = keepersOf(work);
  if (keepers.length === 0) throw nobodyThere(stateOf(work.definition, token.state_id).name);
  const busy = new Set(openIn(work.state, token).map((task) => task.assignee));
  const people = keepers.filter((person) => !busy.has(person)).slice(0, mostKeepers);
  lastEntry(work).trace.push({ about: 'people', state_id: token.state_id, people, left_out: [], why });
  for (const [index, person] of people.entries())
    open(work, token, person, 'todo', index, false, { origin: 'stall', reason: why });
}

const keepersOf = (work: Work) => ask(work.facts.people, [{ kind: 'workflow_admins', of: work.state.creator }]);
/** True if anybody can be called; an organisation always has a super administrator. */
export const hasKeepers = (work: Work): boolean => keepersOf(work).length > 0;

/** Ends the call for help. */
export function unstall(work: Work, token: Token, why: string): void {
  cancel(work, openIn(work.state, token).filter(isStall), why);
}

/** Why a token cannot go on by itself; null if it can, or somebody is helping. */
export function whyStalled(state: TicketState, token: Token): string | null {
  return openIn(state, token).find(isStall)?.reason ?? null;
}

/** True if a person is asked to help a ticket, so that they may move or close it. */
export const helps = ({ tasks }: TicketState, person: number): boolean =>
  tasks.some((task) => task.assignee === person && isStall(task));

/**
 * After an action: somebody who decided in one branch may no longer decide a state of another that is kept apart from it. If they cannot hand it on
 * either, and the state's other people are not enough, the administrators are called.
 */
export function helpThoseKeptApart(work: Work): void {
  const { definition, log } = work;
  const { act_state, suspended, tokens } = work.state;
  if (log.length === 0 || isOver(work.state) || suspended || act_state === actState.draft) return;
  for (const token of tokens) {
    const state = stateOf(definition, token.state_id);
    const { not_done_by: apart = [], actions } = state;
    if (apart.length === 0 || token.status === 'done' || !asksPeople(state) || actions.includes('deliver')) continue;
    const seats = openIn(work.state, token).filter((task) => task.status === 'todo' && !task.answers);
    const kept = seats.filter((task) => hasDone(definition, work.state, apart, task.assignee));
    const stands = asksEverybody(state) ? kept.length > 0 : kept.length > 0 && kept.length === seats.length;
    if (stands && !seats.some(isStall) && hasKeepers(work)) stall(work, token, keptApart);
  }
}
const keptApart = '办理人办过不能由同一人办理的环节，这一步须由他人办理';

const openIn = ({ tasks }: TicketState, { no, visit }: Token) =>
  tasks.filter((task) => task.token === no && task.visit === visit && isOpen(task));
