import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/people/service/leaves.ts';
import { mayChangeTree } from './categories/categories.ts';
import { wholeTree } from './contract/refusals.ts';
import { categoryManagerTable, categoryTable } from './tables.ts';

const { category_id: categoryId, user_id: userId } = categoryManagerTable;

async function managedBy(tx: Db, person: number) {
  const rows = await tx
    .select({ id: categoryId, title: categoryTable.name })
    .from(categoryManagerTable)
    .innerJoin(categoryTable, eq(categoryTable.id, categoryId))
    .where(eq(userId, person))
    .orderBy(categoryTable.order_id, categoryId);
  return rows.map((row) => ({ ...row, note: '分类管理员', at: null }));
}

/** Categories of papers that somebody looks after. */
export const categoryLeaves: Leaves = {
  key: 'folders',
  title: '制度分类',
  openOf: async (tx, person, limit) => heldOf(await managedBy(tx, person), limit),
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded(await managedBy(tx, from.id), only, async ({ id }) => {
      if (!mayChangeTree(user, 'Update')) throw wholeTree();
      await tx.delete(categoryManagerTable).where(and(eq(categoryId, id), eq(userId, from.id)));
      await tx.insert(categoryManagerTable).values({ category_id: id, user_id: to.id }).onConflictDoNothing();
    }),
};
