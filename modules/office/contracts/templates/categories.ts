import { and, eq, inArray, sql } from 'drizzle-orm';
import { nodeCodeTaken } from '#kernel/contract/tree.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { withBelow, type Tree } from '#kernel/server/tree/tree.ts';
import type { ServedTree } from '#kernel/server/tree/handlers.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { contractCategories } from '../contract/categories.ts';
import { unknownTemplate } from '../contract/refusals-text.ts';
import { templateStatus } from '../contract/templates.ts';
import { contracts } from '../record/record.ts';
import { contractCategoryTable, contractTable, contractTemplateTable } from '../tables.ts';

const table = contractCategoryTable;
const place: Tree = {
  table,
  parent: table.parent_id,
  order: table.order_id,
  noun: '合同类别',
  levels: 3,
  holds: {
    份合同: (id) => sql`select count(*) from contract where category_id = ${id}`,
    个模板: (id) => sql`select count(*) from contract_template where category_id = ${id}`,
  },
  instead: '不再使用的请停用',
};
/** Ids of a category and all its descendants. */
export const belowCategory = (id: number) => withBelow(place, id);

/** The category tree of contracts; everybody may read it, because drafters choose from it. */
export const categories: ServedTree<typeof contractCategories> = {
  ...place,
  unique: {
    contract_category_name: true,
    contract_category_code: (row) => nodeCodeTaken('合同类别', String(row['code'])),
  },
  async check(tx, _row, { manage_dept, default_template_id }) {
    if (manage_dept && !(await deptNamesById(tx, [manage_dept])).has(manage_dept)) throw absent('归口部门');
    if (!default_template_id) return;
    const known = and(
      eq(contractTemplateTable.id, default_template_id),
      eq(contractTemplateTable.status, templateStatus.inUse),
    );
    if ((await tx.$count(contractTemplateTable, known)) === 0) throw unknownTemplate();
  },
  async rows(tx, user) {
    const counted = { category: contractTable.category_id, count: sql<number>`count(*)::int` };
    const seen = await tx
      .select(counted)
      .from(contractTable)
      .where(contracts.visible(tx, await contracts.viewerOf(tx, user)))
      .groupBy(contractTable.category_id);
    const counts = new Map(seen.map((one) => [one.category, one.count]));
    const rows = await tx.select().from(table).orderBy(table.order_id, table.id);
    const depts = await deptNamesById(
      tx,
      rows.flatMap((row) => row.manage_dept ?? []),
    );
    const templates = await templateNames(
      tx,
      rows.flatMap((row) => row.default_template_id ?? []),
    );
    return rows.map(({ parent_id, gmt_created: _created, gmt_modified: _modified, ...row }) => ({
      ...row,
      parent: parent_id ?? 0,
      manage_dept_name: depts.get(row.manage_dept ?? 0) ?? '',
      default_template_name: templates.get(row.default_template_id ?? 0) ?? '',
      count: counts.get(row.id) ?? 0,
    }));
  },
};

async function templateNames(tx: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const { id, name } = contractTemplateTable;
  const rows = await tx
    .select({ id, name })
    .from(contractTemplateTable)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.name]));
}
