import { attributeType, distributeType, type StateKind } from '../../codes.ts';
import { asksPeople, exitsOf, type Definition, type State, type Transition } from '../../definition.ts';
import { along, at, type Problem } from '../problem.ts';
import { blockOf, isSplit, targetsOf } from './branch-check.ts';
import { nestOf } from './nest.ts';

const passive: readonly StateKind[] = ['cc', 'condition', 'parallel_split', 'inclusive', 'join', 'start', 'end'];

/** Problems that make turns, exits from branches or buttons that depend on another branch meaningless. */
export function routingProblems(definition: Definition): Problem[] {
  return [
    ...definition.states.flatMap((state) => [...joinProblems(state), ...turnProblems(definition, state)]),
    ...definition.transitions.flatMap((one) => [
      ...leavingProblems(definition, one),
      ...milestoneProblems(definition, one),
    ]),
  ];
}

function joinProblems(state: State): Problem[] {
  if (state.join_rest === undefined || (state.kind === 'join' && state.join_count !== undefined)) return [];
  return [at(state, `环节“${state.name}”没有设置几个分支到达就继续，不能设置其余分支怎么办`)];
}

/** In a block of turns a state is begun by claiming it, so that two people never work at the same time. */
function turnProblems(definition: Definition, split: State): Problem[] {
  const { turns } = split;
  if (!turns) return [];
  if (split.kind !== 'parallel_split') return [at(split, `环节“${split.name}”不是并行分支，不能设置逐个办理`)];
  const first = new Set(exitsOf(definition, split.id).flatMap(targetsOf));
  const { inside } = blockOf(definition, split.id, new Set());
  return definition.states.flatMap((state) => {
    if (!inside.has(state.id)) return [];
    const say = (msg: string) => [at(state, `环节“${state.name}”在逐个办理的分支“${split.name}”里，${msg}`)];
    if (isSplit(state) || state.kind === 'join') return say('这里不能再分开办理');
    const asked = turns === 'state' ? !passive.includes(state.kind) : first.has(state.id);
    if (!asked) return [];
    if (!asksPeople(state)) return say('这里要由人办理，不能是自动环节');
    const { distribution } = state;
    if (distribution.type !== distributeType.claim || !distribution.always)
      return say('办理方式要选“先接单再办理”，并勾选只有一人也要接单');
    if (exitsOf(definition, state.id).some((exit) => exit.timer > 0)) return say('流转不能定时，要等轮到它');
    return [];
  });
}

function leavingProblems(definition: Definition, one: Transition): Problem[] {
  if (!one.leaves_branches) return [];
  const say = (msg: string) => [along(one, `流转“${one.name}”设置了结束所有分支，${msg}`)];
  const here = nestOf(definition, one.source);
  if (here.length === 0) return say('但它不在分支里');
  const source = definition.states.find((state) => state.id === one.source);
  if (source && isSplit(source) && source.id === here.at(-1)) return say('分支环节自己的流转不能这样设置');
  const around = here.slice(0, -1);
  const wrong = targetsOf(one).find((id) => {
    const state = definition.states.find((other) => other.id === id);
    const nest = state?.kind === 'start' || state?.kind === 'end' ? around : nestOf(definition, id);
    return nest.join() !== around.join();
  });
  return wrong === undefined ? [] : say('要指向这些分支之外、紧挨着的环节');
}

/** A button available only while another branch is in certain states: it must not be the only exit, nor automatic. */
function milestoneProblems(definition: Definition, one: Transition): Problem[] {
  const named = one.only_at ?? [];
  if (named.length === 0) return [];
  const say = (msg: string) => [along(one, `流转“${one.name}”只在另一个分支办到某处时可用，${msg}`)];
  const source = definition.states.find((state) => state.id === one.source);
  if (!source) return [];
  if (source.kind !== 'approve' && source.kind !== 'handle') return say('只有审批和办理环节的按钮可以这样设置');
  if (one.timer > 0) return say('不能定时');
  const exits = exitsOf(definition, source.id);
  const passing = exits.find((exit) => exit.attribute === attributeType.agree) ?? exits[0];
  if (passing === one) return say('它是这个环节继续的按钮，请另设一个总能用的“同意”，排在它前面');
  const here = nestOf(definition, source.id);
  const lost = named.find((key) => {
    const state = definition.states.find((other) => other.key === key);
    if (!state || state === source || passive.includes(state.kind)) return true;
    const there = nestOf(definition, state.id);
    return !here.some((split) => there.includes(split));
  });
  return lost === undefined
    ? []
    : say(`“${definition.states.find((state) => state.key === lost)?.name ?? lost}”不是同一组分支里别的环节`);
}
