import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById } from '#modules/people/service.ts';
import { workflowNames } from '#modules/workflows/service.ts';
import type { CategoryNode } from '../contract/rows.ts';
import { visibleTo, type PaperViewer } from './visibility.ts';

export const page = 'folder/category';

/** Ids of a category and all below it. */
export function belowCategory(id: number): SQL {
  return sql`
    with recursive below as (
      select id from folder_category where id = ${id}
      union select c.id from folder_category c join below on c.parent_id = below.id)
    select id from below`;
}

/** Whether a person may change the tree, which is everybody's. */
export function mayChangeTree(viewer: Viewer, code: 'Create' | 'Update' | 'Delete'): boolean {
  return holds(viewer, code, page) && scopeOf(viewer, code, page).all;
}

type Row = Omit<CategoryNode, 'children' | 'actions' | 'managers' | 'managers_info' | 'workflow_name'> & {
  [column: string]: unknown;
  people: number[];
};

/**
 * The tree as a person sees it, each with the number of papers in force there and below that the person sees. Who files
 * papers sees all of it; anybody else what is in use and not kept to other departments.
 */
export async function categoryTree(tx: Db, viewer: PaperViewer): Promise<CategoryNode[]> {
  const whole = holds(viewer, 'Retrieve', page) || holds(viewer, 'Retrieve', 'folder/papers');
  const { rows } = await tx.execute<Row>(sql`
    with recursive places as (
      (select dept_id dept from app_user where id = ${viewer.id} and dept_id is not null
       union select dept_id from user_dept where user_id = ${viewer.id})
      union select d.parent_id from places join dept d on d.id = places.dept where d.parent_id is not null),
    open as (
      select c.id, c.parent_id from folder_category c where ${whole} or c.status and (
        not exists (select 1 from folder_category_dept d where d.category_id = c.id)
        or exists (select 1 from folder_category_dept d join places on places.dept = d.dept_id where d.category_id = c.id))),
    shown as (
      select id from open where parent_id is null
      union all select open.id from open join shown on open.parent_id = shown.id),
    held as (
      select category_id, count(*)::int count from folder_paper where status = 1 and ${visibleTo(viewer)} group by 1)
    select c.id, c.name, c.code, coalesce(c.parent_id, 0) parent, c.order_id, c.status, c.version, c.workflow_id, coalesce(held.count, 0) count,
      array(select d.dept_id from folder_category_dept d where d.category_id = c.id order by 1) scope,
      array(select n.name from folder_category_dept d join dept n on n.id = d.dept_id where d.category_id = c.id
        order by d.dept_id) scope_names,
      array(select m.user_id from folder_category_manager m where m.category_id = c.id order by 1) people
    from folder_category c join shown on shown.id = c.id left join held on held.category_id = c.id
    order by c.order_id, c.id`);
  const people = whole
    ? await peopleById(
        tx,
        rows.flatMap((row) => row.people),
      )
    : new Map<number, never>();
  const flows = whole
    ? await workflowNames(
        tx,
        rows.flatMap((row) => row.workflow_id ?? []),
      )
    : new Map<number, never>();
  const actions = [
    ...(mayChangeTree(viewer, 'Update') ? ['update'] : []),
    ...(mayChangeTree(viewer, 'Delete') ? ['delete'] : []),
  ];
  const branches = (parent: number): CategoryNode[] =>
    rows
      .filter((row) => row.parent === parent)
      .map(({ people: ids, ...row }) => {
        const children = branches(row.id);
        const managers = ids.flatMap((id) => people.get(id) ?? []);
        return {
          ...row,
          count: children.reduce((sum, child) => sum + child.count, row.count),
          managers: managers.map((one) => one.username),
          managers_info: managers,
          workflow_name: flows.get(row.workflow_id ?? 0) ?? '',
          actions,
          children,
        };
      });
  return branches(0);
}
