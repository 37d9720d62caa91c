import type { SimulatedStep } from '../../contract/release.ts';

/** The path of a simulated ticket: the states in order, the transitions used, the last state. */
export function pathOf(steps: readonly SimulatedStep[]) {
  return {
    visited: [...new Set(steps.map((step) => step.state_id))],
    taken: steps.flatMap(({ transition, to_state_id }) =>
      transition && to_state_id !== null ? { transition: transition.id, to: to_state_id } : [],
    ),
    current: steps.slice(-1).map((step) => step.state_id),
  };
}

export const outcomeNames: Record<SimulatedStep['outcome'], string> = {
  decided: '已处理',
  skipped: '自动跳过',
  automatic: '自动经过',
  ended: '流程结束',
  undecided: '停在这里',
};
