import { MarkerType } from '@xyflow/react';
import type { LinkFlowEdge } from './LinkEdge.tsx';
import type { GraphState, Link } from './links.ts';
import { nodeSize, routeOf, type Positions } from './route.ts';
import type { Mark, StateFlowNode } from './StateNode.tsx';

export interface Marks {
  visited: ReadonlySet<number>;
  current: ReadonlySet<number>;
  /** Lines taken, by the id of the transition. */
  taken: ReadonlySet<number>;
  problems: ReadonlyMap<number, readonly string[]>;
}
export const noMarks: Marks = { visited: new Set(), current: new Set(), taken: new Set(), problems: new Map() };

/** What the drawing library shows for states at their places. */
export function flowNodes(states: readonly GraphState[], at: Positions, marks: Marks, editable: boolean) {
  return states.map((state): StateFlowNode => {
    const mark: Mark = marks.current.has(state.id) ? 'current' : marks.visited.has(state.id) ? 'walked' : 'plain';
    const problems = marks.problems.get(state.id) ?? [];
    return {
      id: String(state.id),
      type: 'state',
      position: at.get(state.id) ?? { x: 0, y: 0 },
      ...nodeSize,
      data: { state, mark, problems, connectable: editable },
      ariaLabel: `环节「${state.name}」${{ plain: '', walked: '，已走过', current: '，当前' }[mark]}`,
      draggable: editable,
    };
  });
}

/** The lines between them. Taken is a line both whose ends were visited and whose transition was used. */
export function flowEdges(links: readonly Link[], at: Positions, marks: Marks): LinkFlowEdge[] {
  return links
    .filter((link) => at.has(link.source) && at.has(link.target))
    .map((link) => {
      const { from, to, offset, shift } = routeOf(link, links, at);
      const reached = marks.visited.has(link.target) || marks.current.has(link.target);
      return {
        id: link.id,
        type: 'link',
        source: String(link.source),
        target: String(link.target),
        sourceHandle: from,
        targetHandle: to,
        data: { link, offset, shift, walked: marks.taken.has(link.transition) && reached },
        markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
        ariaLabel: `流转「${link.text}」`,
      };
    });
}
