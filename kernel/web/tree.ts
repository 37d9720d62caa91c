/** A row with its child rows. */
export type Branch<T, C extends string = 'children'> = T & { [K in C]: Branch<T, C>[] };

interface TreeNames {
  id?: string;
  parentId?: string;
}

/**
 * Turns a flat list into a tree by `id` and `parentId`, with children under `children`; all three names can be configured. The order is kept. A row
 * whose parent is missing, or that would be its own descendant, becomes a root.
 */
export function toTree<T extends object>(rows: readonly T[], names?: TreeNames): Branch<T>[];
export function toTree<T extends object, C extends string>(
  rows: readonly T[],
  names: TreeNames & { children: C },
): Branch<T, C>[];
export function toTree<T extends object>(
  rows: readonly T[],
  names: TreeNames & { children?: string } = {},
): Branch<T, string>[] {
  const { id = 'id', parentId = 'parentId', children = 'children' } = names;
  type Node = Branch<T, string>;
  const read = (row: T, key: string) => (row as Record<string, unknown>)[key];
  const nodes = new Map<unknown, Node>(
    rows.map((row) => [read(row, id), { ...row, [children]: [] as Node[] } as Node]),
  );
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(read(node, parentId));
    if (parent && !below(node)) (parent[children] as Node[]).push(node);
    else roots.push(node);
  }
  return roots;

  function below(node: Node): boolean {
    const seen = new Set<Node>();
    for (let at = nodes.get(read(node, parentId)); at; at = nodes.get(read(at, parentId))) {
      if (at === node) return true;
      if (seen.has(at)) return false;
      seen.add(at);
    }
    return false;
  }
}
