/** A node of a tree as its page shows it. */
export interface Node {
  id: number;
  name: string;
  /** 0 or null at the top. */
  parent: number | null;
  version: number;
  actions: readonly string[];
  children?: readonly Node[];
}
export type Where = 'before' | 'into' | 'after';
/** The parameters of a move; `before` null is the last position. */
export interface Place {
  parent: number;
  before: number | null;
}

/** The rows of one level, below `parent`. */
export function neighbours<N extends Node>(nodes: readonly N[], parent: number): readonly N[] {
  if (parent === 0) return nodes;
  for (const node of nodes) {
    const children = (node.children ?? []) as readonly N[];
    const found = node.id === parent ? children : neighbours(children, parent);
    if (found.length > 0 || node.id === parent) return found;
  }
  return [];
}

/** A node and all below it. */
export const branchOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(branchOf)];

/** The place of a node that is dropped on another; null if impossible: on itself, or on a descendant. */
export function placeOf(nodes: readonly Node[], dragged: Node, over: Node, where: Where): Place | null {
  if (branchOf(dragged).some((node) => node.id === over.id)) return null;
  if (where === 'into') return { parent: over.id, before: null };
  const parent = over.parent ?? 0;
  if (where === 'before') return { parent, before: over.id };
  const level = neighbours(nodes, parent).filter((node) => node.id !== dragged.id);
  return { parent, before: level[level.findIndex((node) => node.id === over.id) + 1]?.id ?? null };
}

/** The third of a row that the pointer is over. */
export function whereOf(y: number, { top, height }: { top: number; height: number }): Where {
  const share = height > 0 ? (y - top) / height : 0.5;
  return share < 0.3 ? 'before' : share > 0.7 ? 'after' : 'into';
}
