import { evaluate } from '../condition.ts';
import type { Definition, Transition } from '../definition.ts';
import { situations } from './samples.ts';

export interface Ways {
  /** The states a ticket can reach by this transition. */
  states: number[];
  /** Positions of conditions that never decide, and whether an earlier one hides them. */
  idle: { index: number; shadowed: boolean }[];
}

/** The real targets of a transition: conditions that never decide, and a default that is never needed, do not count. */
export function waysOf(definition: Definition, transition: Transition): Ways {
  const all = [...transition.conditions.map((branch) => branch.target_state_id), transition.destination];
  const tried = transition.conditions.length === 0 ? null : situations(definition, transition);
  if (!tried) return { states: [...new Set(all)], idle: [] };
  const deciding = new Set<number>();
  const holding = new Set<number>();
  for (const situation of tried) {
    const held = transition.conditions.flatMap((branch, index) =>
      evaluate(branch.expression, situation).result ? [index] : [],
    );
    deciding.add(held[0] ?? transition.conditions.length);
    for (const index of held) holding.add(index);
  }
  return {
    states: [...new Set(all.filter((_state, index) => deciding.has(index)))],
    idle: transition.conditions.flatMap((_branch, index) =>
      deciding.has(index) ? [] : [{ index, shadowed: holding.has(index) }],
    ),
  };
}
