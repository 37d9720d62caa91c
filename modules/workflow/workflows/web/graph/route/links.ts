import type { AttributeType, StateKind } from '../../../engine/codes.ts';

/** A node as the graph draws it. */
export interface GraphState {
  id: number;
  name: string;
  kind: StateKind;
  /** Second line of the node: its people, how they decide, and the waiting time. */
  people?: string;
}
/** A button of a state; each branch may have another target. */
export interface GraphTransition {
  id: number;
  name: string;
  source: number;
  destination: number;
  attribute: AttributeType;
  branches: readonly { target: number; text: string }[];
}
/** One line of the drawing: a transition's own target, or one of its branches. */
export interface Link {
  /** `t3` for a transition's own target, `t3b0` for its first branch. */
  id: string;
  transition: number;
  /** Index of the branch; null for the target used if no condition holds. */
  branch: number | null;
  source: number;
  target: number;
  text: string;
  attribute: AttributeType;
}

/** Every line to be drawn, branches before the default target. */
export function linksOf(transitions: readonly GraphTransition[]): Link[] {
  return transitions.flatMap(({ id, name, source, destination, attribute, branches }) => [
    ...branches.map(({ target, text }, branch) => ({
      id: `t${id}b${branch}`,
      transition: id,
      branch,
      source,
      target,
      text: `${name}：${text}`,
      attribute,
    })),
    {
      id: `t${id}`,
      transition: id,
      branch: null,
      source,
      target: destination,
      text: branches.length > 0 ? `${name}：其他情况` : name,
      attribute,
    },
  ]);
}
