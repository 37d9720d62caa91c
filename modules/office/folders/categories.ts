import { eq, sql, type SQL } from 'drizzle-orm';
import { nodeCodeTaken } from '#kernel/contract/tree.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { nest, withBelow, type Tree } from '#kernel/server/tree/tree.ts';
import type { ServedTree } from '#kernel/server/tree/handlers.ts';
import { calledBy, peopleById, peopleByName } from '#modules/platform/people/service.ts';
import { audienceOf, checkAudience, meantFor, namesIn } from '#modules/platform/people/service/audience.ts';
import { nobody } from '#modules/platform/people/contract/audience.ts';
import { versionToStart, workflowNames } from '#modules/workflow/workflows/service.ts';
import { folderCategories, maxLevels } from './contract/categories.ts';
import { paperStatus } from './contract/list.ts';
import { unknownFlow, unknownManagers } from './contract/refusals.ts';
import type { PaperViewer } from './papers/audience.ts';
import { papers, viewerOf } from './papers/record.ts';
import { categoryTable } from './tables.ts';

const page = 'folder/category';
const place: Tree = {
  table: categoryTable,
  parent: categoryTable.parent_id,
  order: categoryTable.order_id,
  noun: '分类',
  levels: maxLevels,
  holds: { 份文件: (id) => sql`select count(*) from folder_paper where category_id = ${id}` },
};
/** Ids of a category and all its descendants. */
export const belowCategory = (id: number): SQL => withBelow(place, id);

/** The category tree of papers. */
export const categories: ServedTree<typeof folderCategories> = {
  ...place,
  unique: { folder_category_name: true, folder_category_code: (row) => nodeCodeTaken('分类', String(row['code'])) },
  rows: async (tx, user) => categoryRows(tx, await viewerOf(tx, user)),
  async check(tx, _row, { scope, managers, workflow_id }) {
    if (workflow_id && !(await versionToStart(tx, workflow_id, 'folders'))) throw unknownFlow();
    const kept = scope && { ...nobody, all: scope.length === 0, depts: scope };
    if (kept) await checkAudience(tx, kept);
    const names = [...new Set(managers)].filter(Boolean);
    const people = await peopleByName(tx, names);
    const unknown = names.filter((name) => !people.has(name));
    if (unknown.length > 0) throw unknownManagers(await calledBy(tx, unknown));
    return {
      ...(kept ? { audience: namesIn(kept) } : {}),
      ...(managers ? { manager_ids: [...people.values()].map((one) => one.id) } : {}),
    };
  },
  async facts(tx, id) {
    const [row] = await tx.select().from(categoryTable).where(eq(categoryTable.id, id));
    return { 可见部门: row && audienceOf(row.audience).depts, 分类管理员: row?.manager_ids };
  },
};

/**
 * The tree's rows for a person, each with the number of papers in force that they see. Those who file papers see all categories; others
 * only those in use and not restricted to other departments.
 */
async function categoryRows(tx: Db, viewer: PaperViewer) {
  const { user } = viewer;
  const whole = holds(user, 'Retrieve', page) || holds(user, 'Retrieve', 'folder/papers');
  const seen = papers.visible(tx, viewer);
  const open = sql`(${categoryTable.status} and ${meantFor(categoryTable.audience, user)})`;
  const { rows } = await tx.execute<Row>(sql`
    with recursive open as (select id, parent_id from ${categoryTable} where ${whole} or ${open}),
    shown as (
      select id from open where parent_id is null
      union all select open.id from open join shown on open.parent_id = shown.id),
    held as (select category_id, count(*)::int count from folder_paper where status = ${inSql(paperStatus.inForce)} and ${seen} group by 1)
    select c.id, c.name, c.code, coalesce(c.parent_id, 0) parent, c.order_id, c.status, c.version, c.workflow_id, c.audience,
      c.manager_ids, coalesce(held.count, 0) count,
      array(select d.name from unnest(c.audience) kept join dept d on d.id = substr(kept, 2)::int order by d.id) scope_names
    from ${categoryTable} c join shown on shown.id = c.id left join held on held.category_id = c.id
    order by c.order_id, c.id`);
  const all = <T>(of: (row: Row) => readonly T[]): T[] => rows.flatMap(of);
  const people = whole
    ? await peopleById(
        tx,
        all((row) => row.manager_ids),
      )
    : undefined;
  const flows = whole
    ? await workflowNames(
        tx,
        all((row) => (row.workflow_id === null ? [] : [row.workflow_id])),
      )
    : undefined;
  return rows.map(({ audience, manager_ids, ...row }) => {
    const scope = audienceOf(audience).depts;
    const managers = manager_ids.flatMap((id) => people?.get(id) ?? []);
    return {
      ...row,
      scope,
      managers: managers.map((one) => one.username),
      managers_info: managers,
      workflow_name: flows?.get(row.workflow_id ?? 0) ?? '',
    };
  });
}
interface Row {
  [column: string]: unknown;
  id: number;
  name: string;
  code: string;
  parent: number;
  order_id: number;
  status: boolean;
  version: number;
  workflow_id: number | null;
  audience: string[];
  manager_ids: number[];
  count: number;
  scope_names: string[];
}

/** The tree for browsing, without actions. */
export const categoryTree = async (tx: Db, viewer: PaperViewer) =>
  nest((await categoryRows(tx, viewer)).map((row) => ({ ...row, actions: [] })));
