import { attributeType, onEmpty, onSelf, timeoutAction } from '../codes.ts';
import { exitsOf, startOf, type Definition, type State, type Transition } from '../definition.ts';
import { branchesOf, splitOf, targetsOf } from './branches/branch-check.ts';

interface Passing {
  how: string;
  instead: string;
}

/** Why a state may ask nobody, so that a ticket passes it at once, with what to do about each. */
export function skipsOf(state: State): Passing[] {
  return [
    ...(state.on_empty === onEmpty.pass
      ? [{ how: '找不到办理人时直接通过', instead: '改成由指定人员或流程管理员处理' }]
      : []),
    ...(state.on_self === onSelf.skip
      ? [{ how: '办理人就是发起人时自动跳过', instead: '改成照常处理或转上级处理' }]
      : []),
    ...(state.dedupe === 'round' ? [{ how: '不再询问本轮已同意过的人', instead: '去掉这一项' }] : []),
  ];
}

/** The way a ticket may pass a state without anybody's agreement there, with a remedy; null if it cannot. */
export function passesByItself(definition: Definition, state: State): Passing | null {
  const [skip] = skipsOf(state);
  if (skip) return skip;
  if (state.timeout?.action === timeoutAction.agree)
    return { how: '超过办理时限自动同意', instead: '改成提醒、退回或转上级' };
  const timed = exitsOf(definition, state.id).find(isConsent);
  return timed && timed.timer > 0 ? { how: `会定时自动“${timed.name}”`, instead: '去掉这个流转的定时' } : null;
}

/** Ids of the states a ticket may reach without an agreement in one of some states. */
export function reachedWithout(definition: Definition, states: readonly State[]): Set<number> {
  const asked = new Set(states.map((state) => state.id));
  const open = (one: Transition) => !asked.has(one.source) || !isConsent(one);
  const reached = new Set([startOf(definition).id]);
  const ends = definition.states.filter((state) => state.kind === 'end').map((state) => state.id);
  const leads = (to: number) =>
    definition.transitions.filter((one) => reached.has(one.source) && open(one) && targetsOf(one).includes(to));
  const comes = ({ id, kind, join_count }: State) => {
    const ways = leads(id);
    const split = kind === 'join' ? splitOf(definition, id) : undefined;
    // All branches of a parallel split, or `join_count` of them, arrive before the join is left: an agreement in a branch it cannot do without is enough.
    if (split?.kind !== 'parallel_split') return ways.length > 0;
    const branches = branchesOf(definition, split, id);
    const without = branches.filter(
      (branch) => ways.some((way) => branch.has(way.source)) || ends.some((end) => branch.has(end) && reached.has(end)),
    );
    return without.length >= Math.min(branches.length, join_count ?? branches.length);
  };
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const state of definition.states) if (comes(state)) reached.add(state.id);
  }
  return reached;
}

const isConsent = ({ attribute }: Transition) => attribute === attributeType.agree;
