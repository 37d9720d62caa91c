import {
  asksEverybody,
  exitsOf,
  passesOf,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import { outcome } from '#modules/workflow/workflows/engine/votes/outcome.ts';
import { lastDecision } from '../differing.ts';
import { slotsOf, votesOf } from '../ways/slots.ts';
import { count } from '../ways/counting.ts';
import type { Task, Token } from '../state.ts';
import { begin, cancel, change, lastEntry, open, type Work } from '../work.ts';
import { openAll, restingOn } from './assigning.ts';
import { stillAsSeen } from './seeing.ts';

const unchanged = '看到的内容没有变化，沿用原来的意见';

/**
 * The decisions in favour by people a state asks that still hold, if the state keeps them: made by the persons themselves, except whoever it was sent
 * back to, about what they still see unchanged. If anyone decides, one is enough.
 */
export function keptOf(work: Work, state: State, people: readonly number[]): Task[] {
  if (!state.keep_unchanged) return [];
  const exits = exitsOf(work.definition, state.id);
  const before = people.flatMap((person) => {
    const last = lastDecision(work.state, person, state);
    return last?.status === 'agree' && exits.some((exit) => exit.id === last.transition_id) ? [last] : [];
  });
  const kept = stillAsSeen(work, state, before);
  return asksEverybody(state) ? kept : kept.slice(0, 1);
}

/** Opens a state with the decisions that still hold, in a log row of its own; returns the exit it takes because of them, null if others are asked. */
export function openWith(
  work: Work,
  token: Token,
  state: State,
  people: readonly number[],
  kept: readonly Task[],
): Transition | null {
  const exits = exitsOf(work.definition, state.id);
  // An agreement given elsewhere counts as this state's approval.
  const [yes] = passesOf(work.definition, state.id);
  const elsewhere = kept.filter((task) => task.state_id !== state.id);
  const why = elsewhere.length > 0 ? restingOn(work, kept) : unchanged;
  begin(work, null, 'keep', state.id, { suggestion: why }, null);
  const holders = kept.map((task) => task.assignee);
  const asked = asksEverybody(state) ? people.filter((person) => !holders.includes(person)) : [];
  lastEntry(work).trace.push({ about: 'people', state_id: state.id, people: asked, left_out: holders, why });
  for (const task of kept) {
    const { no, assignee, reason } = task;
    const transition_id = elsewhere.includes(task) ? (yes?.id ?? null) : task.transition_id;
    const more = { origin: 'keep', origin_no: no, transition_id, reason } as const;
    open(work, token, assignee, 'agree', people.indexOf(assignee), false, more);
  }
  if (asked.length > 0) openAll(work, token, state, asked);
  const result = outcome(state.distribution, votesOf(slotsOf(work.state, token.no, token.visit)), exits);
  if ('wait' in result) {
    if (result.wait !== null) change(work, result.wait, 'todo', null, '');
    return null;
  }
  const here = work.state.tasks.filter((task) => task.token === token.no && task.visit === token.visit);
  count(work, state, here);
  cancel(work, here, '已有足够的意见');
  return exits.find((exit) => exit.id === result.go) ?? null;
}
