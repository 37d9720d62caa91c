import { attributeType } from '../../../engine/codes.ts';
import type { GraphState, Link } from './links.ts';
import { nodeSize, type Point } from './route.ts';

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.spacing.nodeNode': '70',
  'elk.layered.spacing.nodeNodeBetweenLayers': '70',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
};

/** The graph for the layout library: the start first, ends last, and refusals do not affect the vertical order. */
export function layoutInput(states: readonly GraphState[], links: readonly Link[]) {
  const known = new Set(states.map((state) => state.id));
  return {
    id: 'workflow',
    layoutOptions: options,
    children: states.map(({ id, kind }) => ({
      id: String(id),
      ...nodeSize,
      layoutOptions: {
        ...(kind === 'start' && { 'elk.layered.layering.layerConstraint': 'FIRST' }),
        ...(kind === 'end' && { 'elk.layered.layering.layerConstraint': 'LAST' }),
      },
    })),
    edges: links
      .filter((link) => link.source !== link.target && known.has(link.source) && known.has(link.target))
      .map((link) => ({
        id: link.id,
        sources: [String(link.source)],
        targets: [String(link.target)],
        layoutOptions: {
          'elk.layered.priority.direction': link.attribute === attributeType.refuse ? '0' : '10',
        },
      })),
  };
}
export type LayoutInput = ReturnType<typeof layoutInput>;

/** The nodes' positions in the library's result: the upper left corner, in whole pixels. */
export function positionsIn(answer: { children?: { id: string; x?: number; y?: number }[] }): Map<number, Point> {
  return new Map(
    (answer.children ?? []).map(({ id, x = 0, y = 0 }) => [Number(id), { x: Math.round(x), y: Math.round(y) }]),
  );
}
