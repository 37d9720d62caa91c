export interface TreeNames {
  id?: string;
  parentId?: string;
  children?: string;
}

/**
 * Turns a flat list into a tree by `id` and `parentId`, children under `children`; all three names can be configured.
 * Order is kept. A row whose parent is missing, or that would stand below itself, becomes a root.
 */
export function toTree<T extends object, C extends string = 'children'>(
  rows: readonly T[],
  names: TreeNames & { children?: C } = {},
): (T & { [K in C]: unknown[] })[] {
  const { id = 'id', parentId = 'parentId', children = 'children' as C } = names;
  type Node = T & { [K in C]: Node[] };
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
