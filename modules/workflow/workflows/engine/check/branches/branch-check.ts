import { exitsOf, startOf, type Definition, type State, type Transition } from '../../definition.ts';
import { at, type Problem } from '../problem.ts';

interface Block {
  /** States between a split and its join. */
  inside: Set<number>;
  joins: Set<number>;
}

/** Problems that keep branches from running in parallel: each block is entered by its split only and left by its one join only. */
export function branchProblems(definition: Definition): Problem[] {
  const start = startOf(definition).id;
  const found: Problem[] = [];
  const leavingFrom = (id: number) =>
    definition.transitions.filter((one) => one.source === id && one.leaves_branches).flatMap(targetsOf);
  const say = (state: State, words: string) => void found.push(at(state, `环节“${state.name}”${words}`));
  const inBlocks = new Set<number>();
  for (const split of definition.states) {
    if (!isSplit(split)) continue;
    const { inside, joins } = blockOf(definition, split.id, new Set());
    for (const id of inside) inBlocks.add(id);
    for (const id of joins) inBlocks.add(id);
    if (joins.size > 1) say(split, '的各个分支要汇合到同一个环节');
    const outside = reach(definition, [start], split.id);
    const after = [...[...joins].flatMap((join) => targets(definition, join)), ...[...inside].flatMap(leavingFrom)];
    for (const id of reach(definition, after, split.id)) outside.add(id);
    for (const state of definition.states) {
      if (state.kind === 'start' || state.kind === 'end' || !inside.has(state.id)) continue;
      if (state.id === split.id) say(split, '不能从自己的分支里再次进入');
      else if (outside.has(state.id)) say(state, `在“${split.name}”的分支里，不能与分支外的环节相连；请经过汇合环节`);
    }
  }
  for (const state of definition.states) {
    if (state.kind === 'join' && !inBlocks.has(state.id)) say(state, '没有对应的分支环节');
  }
  return found;
}

export const isSplit = (state: Pick<State, 'kind'>) => state.kind === 'parallel_split' || state.kind === 'inclusive';

export const targetsOf = ({ destination, conditions }: Transition): number[] => [
  destination,
  ...conditions.map((branch) => branch.target_state_id),
];

/** The states reached from a state within its branches: leaving the branches ends them all. */
function targets(definition: Definition, id: number): number[] {
  return exitsOf(definition, id).flatMap((exit) => (exit.leaves_branches ? [] : targetsOf(exit)));
}

/** The content of a split's branches, up to their join. `above`: the splits around it. */
export function blockOf(definition: Definition, split: number, above: ReadonlySet<number>): Block {
  const kinds = new Map(definition.states.map((state) => [state.id, state]));
  const block: Block = { inside: new Set(), joins: new Set() };
  const open = targets(definition, split);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const state = kinds.get(id);
    if (!state || state.kind === 'start' || block.inside.has(id)) continue;
    if (state.kind === 'join') {
      block.joins.add(id);
      continue;
    }
    block.inside.add(id);
    if (!isSplit(state) || id === split || above.has(id)) {
      open.push(...targets(definition, id));
      continue;
    }
    const inner = blockOf(definition, id, new Set([...above, split]));
    for (const one of inner.inside) block.inside.add(one);
    for (const join of inner.joins) {
      block.inside.add(join);
      open.push(...targets(definition, join));
    }
  }
  return block;
}

/** The states reached without passing a split. */
function reach(definition: Definition, from: readonly number[], split: number): Set<number> {
  const seen = new Set(from);
  for (const id of seen) if (id !== split) for (const next of targets(definition, id)) seen.add(next);
  return seen;
}

/** The split whose branches end in a join; undefined if there is none. */
export function splitOf(definition: Definition, join: number): State | undefined {
  return definition.states.find((state) => isSplit(state) && blockOf(definition, state.id, new Set()).joins.has(join));
}

/** Ids of the states of each branch between a split and its join, up to where it leaves; for an empty one, that of the split. */
export function branchesOf(definition: Definition, split: State, join: number): Set<number>[] {
  const over = [join, split.id, startOf(definition).id];
  return exitsOf(definition, split.id).map(({ destination }) => {
    const seen = new Set([destination === join ? split.id : destination]);
    for (const id of seen) if (!over.includes(id)) for (const next of targets(definition, id)) seen.add(next);
    return seen;
  });
}
