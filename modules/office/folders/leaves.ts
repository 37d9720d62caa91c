import { and, asc, eq, sql } from 'drizzle-orm';
import { notOverAll } from '#kernel/contract/refusal.ts';
import { mayCall } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { folderCategories } from './contract/categories.ts';
import { categoryTable } from './tables.ts';

const { id, name, manager_ids, order_id } = categoryTable;
const lookedAfterBy = (person: number) => sql`${person}::int = any(${manager_ids})`;

async function managedBy(tx: Db, person: number) {
  const rows = await tx
    .select({ id, title: name })
    .from(categoryTable)
    .where(lookedAfterBy(person))
    .orderBy(asc(order_id), asc(id));
  return rows.map((row) => ({ ...row, note: '分类管理员', at: null }));
}

/** Categories of papers that somebody manages. */
export const categoryLeaves: Leaves = {
  key: 'folders',
  title: '制度分类',
  openOf: async (tx, person, limit) => heldOf(await managedBy(tx, person), limit),
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded(await managedBy(tx, from.id), only, async (row) => {
      if (!mayCall(user, folderCategories.change)) throw notOverAll(folderCategories.change.summary);
      const others = sql`array_append(array_remove(array_remove(${manager_ids}, ${from.id}::int), ${to.id}::int), ${to.id}::int)`;
      await tx
        .update(categoryTable)
        .set({ manager_ids: others })
        .where(and(eq(id, row.id), lookedAfterBy(from.id)));
    }),
};
