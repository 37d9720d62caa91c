import { asksEverybody, exitsOf, type State, type Transition } from '#modules/workflows/engine/definition.ts';
import { outcome } from '#modules/workflows/engine/votes/outcome.ts';
import { differing, lastDecision, seenBy, withRecord } from '../differing.ts';
import { slotsOf, votesOf } from '../ways/slots.ts';
import type { Task, Token } from '../state.ts';
import { begin, cancel, change, lastEntry, open, type Work } from '../work.ts';
import { openAll } from './assigning.ts';
import { Unanswered } from './people.ts';

const why = '看到的内容没有变化，沿用原来的意见';

/**
 * Of the people a state asks, the decisions in favour that still hold, where the state keeps them: made by the person themselves, whoever
 * it was sent back to excepted, of nothing that they would see otherwise by now. Where any one decides, one is enough.
 */
export function keptOf(work: Work, state: State, people: readonly number[]): Task[] {
  if (!state.keep_unchanged) return [];
  const { definition, facts } = work;
  const exits = exitsOf(definition, state.id);
  const before = people.flatMap((person) => {
    const last = lastDecision(work.state, person, state);
    return last?.status === 'agree' && exits.some((exit) => exit.id === last.transition_id) ? [last] : [];
  });
  if (before.length === 0) return [];
  const { forms } = facts;
  if (!forms) throw new Unanswered([], true);
  const kept = before.filter(({ no, assignee }) => {
    const form = forms.get(no);
    if (!form) return false;
    const seen = seenBy(definition, work.state, assignee, state);
    return differing(definition, seen, form, withRecord(work.state.form, facts.record)).length === 0;
  });
  return asksEverybody(state) ? kept : kept.slice(0, 1);
}

/** Opens a state with what still holds of it, in a log row of its own; answers the way it goes on by that, null where others are asked. */
export function openWith(
  work: Work,
  token: Token,
  state: State,
  people: readonly number[],
  kept: readonly Task[],
): Transition | null {
  begin(work, null, 'keep', state.id, { suggestion: why }, null);
  const holders = kept.map((task) => task.assignee);
  const asked = asksEverybody(state) ? people.filter((person) => !holders.includes(person)) : [];
  lastEntry(work).trace.push({ about: 'people', state_id: state.id, people: asked, left_out: holders, why });
  for (const { no, assignee, transition_id, reason } of kept) {
    const more = { origin: 'keep', origin_no: no, transition_id, reason } as const;
    open(work, token, assignee, 'agree', people.indexOf(assignee), false, more);
  }
  if (asked.length > 0) openAll(work, token, state, asked);
  const exits = exitsOf(work.definition, state.id);
  const result = outcome(state.distribution, votesOf(slotsOf(work.state, token.no, token.visit)), exits);
  if ('wait' in result) {
    if (result.wait !== null) change(work, result.wait, 'todo', null, '');
    return null;
  }
  const here = work.state.tasks.filter((task) => task.token === token.no && task.visit === token.visit);
  cancel(work, here, '已有足够的意见');
  return exits.find((exit) => exit.id === result.go) ?? null;
}
