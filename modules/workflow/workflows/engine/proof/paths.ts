import { branchProblems } from '../check/branches/branch-check.ts';
import { routingProblems } from '../check/branches/routing-check.ts';
import { attributeType, type StateKind } from '../codes.ts';
import { awaitedIn, completionOf, exitsOf, type Definition, type State } from '../definition.ts';
import { finishingFindings, mayBePassed } from './finishing.ts';
import { at, whole, type Findings, type Problem } from '../check/problem.ts';
import { waysOf } from './targets.ts';

const automatic: readonly StateKind[] = ['cc', 'condition', 'join', 'parallel_split', 'inclusive', 'hook'];

/** Unreachable states, states from which no end is reached, automatic loops, and tickets that cannot be finished. */
export function pathFindings(definition: Definition, effort: number): Findings {
  const starts = definition.states.filter((state) => state.kind === 'start');
  const ends = definition.states.filter((state) => state.kind === 'end');
  const found: Problem[] = [];
  if (starts.length !== 1) found.push(whole(`必须有且只有一个开始环节，现在有 ${starts.length} 个`));
  if (ends.length === 0) found.push(whole('至少要有一个结束环节'));
  const [start] = starts;
  if (!start || found.length > 0) return { problems: found, warnings: [] };

  const onward = edgesOf(definition, (state) => exitsOf(definition, state.id));
  const entered = [start.id, ...(completionOf(definition) ? [completionOf(definition)!.id] : [])];
  const reached = spread(entered, onward);
  const finishing = spread(
    ends.map((end) => end.id),
    reversed(onward),
  );
  for (const state of definition.states) {
    if (!reached.has(state.id)) found.push(at(state, `环节“${state.name}”从开始环节走不到`));
    else if (!finishing.has(state.id)) {
      const ring = namesOf(definition, spread([state.id], onward));
      found.push(at(state, `环节“${state.name}”之后走不到结束环节，工单会一直停在${ring}之间`));
    }
  }
  found.push(...ringProblems(definition), ...branchProblems(definition), ...routingProblems(definition));
  return found.length > 0 ? { problems: found, warnings: [] } : finishingFindings(definition, effort);
}

/** Loops of states that may all be passed without people: the server would never stop, so it refuses to enter them. */
function ringProblems(definition: Definition): Problem[] {
  const byItself = edgesOf(definition, (state) => {
    const exits = exitsOf(definition, state.id);
    if (awaitedIn(state) === 'result') return [];
    if (automatic.includes(state.kind)) return exits;
    return mayBePassed(state)
      ? exits.filter((exit, index) => exit === passing(exits) || (index === 0 && !passing(exits)))
      : [];
  });
  return definition.states.flatMap((state) => {
    if (!spread(byItself.get(state.id) ?? [], byItself).has(state.id)) return [];
    return [
      at(
        state,
        automatic.includes(state.kind)
          ? `环节“${state.name}”会自动绕回自己，工单会停不下来`
          : `环节“${state.name}”没有人需要处理时会自动绕回自己，工单会停不下来`,
      ),
    ];
  });
}

const passing = <T extends { attribute: number }>(exits: readonly T[]) =>
  exits.find((exit) => exit.attribute === attributeType.agree);

function namesOf(definition: Definition, ids: ReadonlySet<number>): string {
  const names = definition.states.filter((state) => ids.has(state.id)).map((state) => `“${state.name}”`);
  return names.slice(0, 4).join('') + (names.length > 4 ? '等环节' : '');
}

type Edges = Map<number, number[]>;

function edgesOf(definition: Definition, exits: (state: State) => readonly Definition['transitions'][number][]): Edges {
  return new Map(
    definition.states.map((state) => [state.id, exits(state).flatMap((exit) => waysOf(definition, exit).states)]),
  );
}

function reversed(edges: Edges): Edges {
  const back: Edges = new Map();
  for (const [from, targets] of edges) for (const to of targets) back.set(to, [...(back.get(to) ?? []), from]);
  return back;
}

function spread(from: readonly number[], edges: Edges): Set<number> {
  const seen = new Set(from);
  for (const id of seen) for (const next of edges.get(id) ?? []) seen.add(next);
  return seen;
}
