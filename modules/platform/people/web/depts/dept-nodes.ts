import { toTree, type Branch } from '#kernel/web/tree.ts';
import type { DeptOption } from '../../contract/cards.ts';

export interface DeptNode extends DeptOption {
  children: DeptNode[];
  /** People of the department and everything below. */
  total: number;
}

/** The tree of flat departments, each with the head count of its whole branch. */
export function deptNodes(options: readonly DeptOption[]): DeptNode[] {
  const counted = ({ children, ...dept }: Branch<DeptOption>): DeptNode => {
    const below = children.map(counted);
    return { ...dept, children: below, total: below.reduce((sum, { total }) => sum + total, dept.user_count) };
  };
  return toTree(options).map(counted);
}
