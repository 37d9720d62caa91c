import { blockOf, isSplit } from './branch-check.ts';
import type { Definition } from '../../definition.ts';

/** Ids of the splits whose branches a state lies in, the outermost first; the join of a split counts, for its branches wait there. */
export function nestOf(definition: Definition, stateId: number): number[] {
  return definition.states
    .filter(isSplit)
    .map((split) => ({ id: split.id, ...blockOf(definition, split.id, new Set()) }))
    .filter(({ inside, joins }) => inside.has(stateId) || joins.has(stateId))
    .toSorted((a, b) => b.inside.size - a.inside.size)
    .map((block) => block.id);
}

/** Whether a state lies in the branches of the same splits as another, which may be one of another version. */
export function sameNest(one: readonly [Definition, number], other: readonly [Definition, number]): boolean {
  const [a, b] = [nestOf(...one), nestOf(...other)];
  return a.length === b.length && a.every((split, index) => split === b[index]);
}
