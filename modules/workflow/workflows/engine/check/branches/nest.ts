import { blockOf, isSplit } from './branch-check.ts';
import type { Definition } from '../../definition.ts';

/** Ids of the splits whose branches contain a state, the outermost first; a split's join counts as inside, because its branches wait there. */
export function nestOf(definition: Definition, stateId: number): number[] {
  return definition.states
    .filter(isSplit)
    .map((split) => ({ id: split.id, ...blockOf(definition, split.id, new Set()) }))
    .filter(({ inside, joins }) => inside.has(stateId) || joins.has(stateId))
    .toSorted((a, b) => b.inside.size - a.inside.size)
    .map((block) => block.id);
}

/** True if two states, possibly of different versions, lie in the branches of the same splits. */
export function sameNest(one: readonly [Definition, number], other: readonly [Definition, number]): boolean {
  const [a, b] = [nestOf(...one), nestOf(...other)];
  return a.length === b.length && a.every((split, index) => split === b[index]);
}
