import { and, count, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import type { Store } from '#kernel/server/storage.ts';
import { tooManyLoose, tooMuchLoose } from './contract.ts';
import { fileTable, uploadTable } from './tables.ts';

const maxLoose = 100;
/** As many as one field takes. */
const maxLargest = 20;
const looseHours = 24;
const portion = 200;

/** An upload that still takes portions, or told what became of it, a day after it began. */
export const alive = gt(uploadTable.created, sql<string>`now() - make_interval(hours => ${looseHours})`);

export const portionFolder = (uploadId: number) => `portion/${uploadId}`;

/** Refuses one more upload of so many bytes to whoever has too many that no record took. `largest` in bytes. */
export async function checkRoom(tx: Db, userId: number, size: number, largest: number): Promise<void> {
  const [files] = await tx
    .select({ n: count(), bytes: sql<string>`coalesce(sum(${fileTable.size}), 0)` })
    .from(fileTable)
    .where(and(eq(fileTable.uploaderId, userId), isNull(fileTable.ownerModule)));
  const [coming] = await tx
    .select({ n: count(), bytes: sql<string>`coalesce(sum(${uploadTable.size}), 0)` })
    .from(uploadTable)
    .where(and(eq(uploadTable.uploaderId, userId), isNull(uploadTable.fileId), alive));
  if (files!.n + coming!.n >= maxLoose) throw tooManyLoose(maxLoose);
  if (Number(files!.bytes) + Number(coming!.bytes) + size > maxLargest * largest) throw tooMuchLoose();
}

/** One upload of a person after the other is counted, until the transaction ends. */
export async function lockRoom(tx: Db, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('file_upload'), ${userId})`);
}

/** Deletes uploads no record took within a day; true when more may wait. */
export async function purgeLoose(tx: Db): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    delete from file where id in (
      select id from file
      where owner_module is null and gmt_created < now() - make_interval(hours => ${looseHours})
      limit ${portion} for update skip locked)`);
  return rowCount === portion;
}

/** Removes the portions of uploads that are whole, and of those a day old with their rows; true when more may wait. */
export async function purgePortions(tx: Db, store: Store): Promise<boolean> {
  const ended = sql`(${uploadTable.fileId} is not null and ${uploadTable.portions} <> '[]') or not (${alive})`;
  const rows = await tx
    .select({ id: uploadTable.id })
    .from(uploadTable)
    .where(ended)
    .limit(20)
    .for('update', { skipLocked: true });
  for (const { id } of rows) {
    for (const key of await store.list(portionFolder(id))) await store.remove(key);
    await tx.update(uploadTable).set({ portions: [] }).where(eq(uploadTable.id, id));
    await tx.delete(uploadTable).where(and(eq(uploadTable.id, id), sql`not (${alive})`));
  }
  return rows.length > 0;
}
