import { toTree } from '#kernel/web/tree.ts';
import type { DeptOption } from '../contract/cards.ts';

export interface DeptNode extends DeptOption {
  children: DeptNode[];
  /** People of the department and everything below. */
  total: number;
}

/** The tree of flat departments, each with the head count of its whole branch. */
export function deptNodes(options: readonly DeptOption[]): DeptNode[] {
  const count = (node: DeptNode): number => {
    node.total = node.user_count + node.children.reduce((sum, child) => sum + count(child), 0);
    return node.total;
  };
  const top = toTree(options) as unknown as DeptNode[];
  for (const node of top) count(node);
  return top;
}
