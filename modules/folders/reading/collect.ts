import { and, eq, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { seesPaper } from '../categories/visibility.ts';
import { collectTable, paperTable } from '../tables.ts';

/** Keeps a bookmark; a second one of the same paper is the first. */
export async function collect(tx: Db, user: Viewer, paperId: number) {
  if (!(await seesPaper(tx, user, paperId))) throw absent('该文件');
  const [made] = await tx
    .insert(collectTable)
    .values({ user_id: user.id, paper_id: paperId })
    .onConflictDoNothing()
    .returning({ id: collectTable.id });
  if (made) await countCollected(tx, paperId, 1);
  const [kept] = made
    ? [made]
    : await tx
        .select({ id: collectTable.id })
        .from(collectTable)
        .where(and(eq(collectTable.user_id, user.id), eq(collectTable.paper_id, paperId)));
  return { id: kept!.id };
}

/** Drops one's own bookmark, named by its id or else by that of its paper. */
export async function uncollect(tx: Db, user: Viewer, id: number) {
  const mine = eq(collectTable.user_id, user.id);
  const drop = (which: typeof mine) =>
    tx.delete(collectTable).where(and(mine, which)).returning({ id: collectTable.id, paper_id: collectTable.paper_id });
  const [byId] = await drop(eq(collectTable.id, id));
  const [gone] = byId ? [byId] : await drop(eq(collectTable.paper_id, id));
  if (!gone) throw absent('该收藏');
  await countCollected(tx, gone.paper_id, -1);
  return { id: gone.id };
}

function countCollected(tx: Db, paperId: number, by: 1 | -1) {
  return tx
    .update(paperTable)
    .set({ collect_count: sql`${paperTable.collect_count} + ${by}::int` })
    .where(eq(paperTable.id, paperId));
}
