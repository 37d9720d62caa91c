import { nobodyThere } from '../contract/refusals.ts';
import { asksEverybody, asksPeople, stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { ask, hasDone } from './people/people.ts';
import { isOpen, isOver, type Task, type TicketState, type Token } from './state.ts';
import { cancel, lastEntry, open, type Work } from './work.ts';

/** Most administrators one ticket calls for help. */
const mostKeepers = 50;

/** Whether a task asks somebody to help a ticket on that cannot go on by itself: it has no vote. */
export const isStall = ({ origin, status }: Pick<Task, 'origin' | 'status'>): boolean =>
  origin === 'stall' && isOpen({ status });

/**
 * The safety net: what the engine cannot do by itself goes to those who administer the workflow, each with a task that says why, of
 * whom the first to help ends it for the others. Not to the applicant while there is anybody else. The caller has begun a log row.
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
/** Whether anybody can be called; a house always has a super administrator. */
export const hasKeepers = (work: Work): boolean => keepersOf(work).length > 0;

/** Nobody has to help any more. */
export function unstall(work: Work, token: Token, why: string): void {
  cancel(work, openIn(work.state, token).filter(isStall), why);
}

/** Why a token cannot go on by itself; null where it can, or somebody helps it. */
export function whyStalled(state: TicketState, token: Token): string | null {
  return openIn(state, token).find(isStall)?.reason ?? null;
}

/** Whether a person is asked to help a ticket on, so that they may move or close it. */
export const helps = ({ tasks }: TicketState, person: number): boolean =>
  tasks.some((task) => task.assignee === person && isStall(task));

/**
 * After an action: whoever decided on one branch what another keeps apart from it may decide nothing there any more. Where they may not hand
 * it on either, and no others of theirs are enough, the administrators do.
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
