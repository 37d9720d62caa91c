import { and, eq, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { papers } from '../papers/record.ts';
import { collectTable, paperTable } from '../tables.ts';

const { id, user_id, paper_id } = collectTable;
const kept = { id, paper_id };

/** Adds a bookmark; adding it twice has no effect. */
export async function collect(tx: Db, user: Viewer, paper: number) {
  if (!(await papers.sees(tx, user, paper))) throw absent('该文件');
  const values = { user_id: user.id, paper_id: paper };
  const [made] = await tx.insert(collectTable).values(values).onConflictDoNothing().returning(kept);
  if (made) return counted(tx, made, 1);
  const [had] = await tx
    .select(kept)
    .from(collectTable)
    .where(and(eq(user_id, user.id), eq(paper_id, paper)));
  return { id: had!.id };
}

/** Removes one's own bookmark, given by its id or by that of its paper. */
export async function uncollect(tx: Db, user: Viewer, named: number) {
  const drop = (column: typeof id | typeof paper_id) =>
    tx
      .delete(collectTable)
      .where(and(eq(user_id, user.id), eq(column, named)))
      .returning(kept);
  const [byId] = await drop(id);
  const [gone] = byId ? [byId] : await drop(paper_id);
  if (!gone) throw absent('该收藏');
  return counted(tx, gone, -1);
}

async function counted(tx: Db, row: { id: number; paper_id: number }, by: 1 | -1) {
  const collect_count = sql`${paperTable.collect_count} + ${by}::int`;
  await tx.update(paperTable).set({ collect_count }).where(eq(paperTable.id, row.paper_id));
  return { id: row.id };
}
