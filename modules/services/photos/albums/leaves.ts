import { and, asc, eq, sql } from 'drizzle-orm';
import { notOverAll } from '#kernel/contract/refusal.ts';
import { mayCall } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { albums } from '../contract/albums.ts';
import { albumTable } from '../tables.ts';

const { id, name, manager_ids, order_id } = albumTable;
const managedBy = async (tx: Db, person: number) =>
  (
    await tx
      .select({ id, title: name })
      .from(albumTable)
      .where(sql`${person}::int = any(${manager_ids})`)
      .orderBy(asc(order_id), asc(id))
  ).map((row) => ({ ...row, note: '相册管理员', at: null }));

/** Albums that the leaver manages. */
export const albumLeaves: Leaves = {
  key: 'photos',
  title: '相册',
  openOf: async (tx, person, limit) => heldOf(await managedBy(tx, person), limit),
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded(await managedBy(tx, from.id), only, async (row) => {
      if (!mayCall(user, albums.change)) throw notOverAll(albums.change.summary);
      const others = sql`array_append(array_remove(array_remove(${manager_ids}, ${from.id}::int), ${to.id}::int), ${to.id}::int)`;
      await tx
        .update(albumTable)
        .set({ manager_ids: others })
        .where(and(eq(id, row.id)));
    }),
};
