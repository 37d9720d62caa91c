import { MarkerType, Position, type NodeHandle } from '@xyflow/react';
import type { LinkFlowEdge } from './LinkEdge.tsx';
import type { GraphState, Link } from './route/links.ts';
import { nodeSize, routeOf, type Positions } from './route/route.ts';
import type { Change, Mark, StateFlowNode } from './StateNode.tsx';

export interface Marks {
  visited: ReadonlySet<number>;
  current: ReadonlySet<number>;
  /** Lines taken: `3` a transition whatever its target, `3:4` the one that led to state 4. */
  taken: ReadonlySet<string>;
  problems: ReadonlyMap<number, readonly string[]>;
  /** The change of a state from one version to another. */
  changes: ReadonlyMap<number, Change>;
}
export const noMarks: Marks = {
  visited: new Set(),
  current: new Set(),
  taken: new Set(),
  problems: new Map(),
  changes: new Map(),
};

/** The fit of a graph to its area: lines with their names run beside its states, and the zoom buttons are on the left. */
export const fitting = { maxZoom: 1, padding: { left: '76px', right: '44px', y: '16px' } } as const;

const { width, height } = nodeSize;
/** The ends of lines, given beforehand, so that no line waits for its nodes to be measured. */
const handles: NodeHandle[] = [
  { id: 'top', type: 'source', position: Position.Top, x: width / 2 - 4, y: -4, width: 8, height: 8 },
  { id: 'right', type: 'source', position: Position.Right, x: width - 4, y: height / 2 - 4, width: 8, height: 8 },
  { id: 'bottom', type: 'source', position: Position.Bottom, x: width / 2 - 4, y: height - 4, width: 8, height: 8 },
  { id: 'left', type: 'source', position: Position.Left, x: -4, y: height / 2 - 4, width: 8, height: 8 },
];

/** The drawing library's nodes for states at their positions. */
export function flowNodes(states: readonly GraphState[], at: Positions, marks: Marks, editable: boolean) {
  return states.map((state): StateFlowNode => {
    const mark: Mark = marks.current.has(state.id) ? 'current' : marks.visited.has(state.id) ? 'walked' : 'plain';
    const problems = marks.problems.get(state.id) ?? [];
    return {
      id: String(state.id),
      type: 'state',
      position: at.get(state.id) ?? { x: 0, y: 0 },
      ...nodeSize,
      measured: nodeSize,
      handles,
      data: { state, mark, problems, connectable: editable, change: marks.changes.get(state.id) },
      ariaLabel: `环节“${state.name}”${{ plain: '', walked: '，已完成／已跳过', current: '，当前' }[mark]}`,
      draggable: editable,
    };
  });
}

/** The lines between them. A line is taken if its transition was used and its target was reached. `onOpen` makes their names buttons. */
export function flowEdges(
  links: readonly Link[],
  at: Positions,
  marks: Marks,
  onOpen?: (link: Link) => void,
): LinkFlowEdge[] {
  return links
    .filter((link) => at.has(link.source) && at.has(link.target))
    .map((link) => {
      const { from, to, offset, shift } = routeOf(link, links, at);
      const reached = marks.visited.has(link.target) || marks.current.has(link.target);
      const used = marks.taken.has(`${link.transition}:${link.target}`);
      const walked = used || (reached && marks.taken.has(String(link.transition)));
      return {
        id: link.id,
        type: 'link',
        source: String(link.source),
        target: String(link.target),
        sourceHandle: from,
        targetHandle: to,
        data: { link, offset, shift, walked, onOpen },
        markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
        ariaLabel: `流转“${link.text}”`,
      };
    });
}
