import { and, count, eq, gt, inArray, isNotNull, isNull, lt, not, or, sql, type SQL } from 'drizzle-orm';
import type { Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Store } from '#kernel/server/files/storage.ts';
import { tooManyLoose, tooMuchLoose } from '../contract.ts';
import { fileTable, uploadTable } from '../tables.ts';

const maxLoose = 100;
/** Limits per person: as many files of the largest size as one field takes. */
const maxLargest = 20;
const looseHours = 24;
const idleMinutes = 10;
const portion = 200;

/** An upload that still accepts portions, or reports its result, until a day after the last portion. One whose file was deleted is over. */
export const alive = and(
  gt(uploadTable.moved_at, sql<string>`now() - make_interval(hours => ${looseHours})`),
  or(isNotNull(uploadTable.file_id), lt(uploadTable.come, uploadTable.size)),
)!;
/** An upload that may be ended if its person needs the space; continuing it begins anew. */
const idle = lt(uploadTable.moved_at, sql<string>`now() - make_interval(mins => ${idleMinutes})`);

export const portionFolder = (uploadId: number) => `portion/${uploadId}`;

/** One more upload of a person, in bytes, like `largest`: the largest file allowed. */
export interface Asked {
  userId: number;
  size: number;
  largest: number;
}

async function refused(tx: Db, { userId, size, largest }: Asked, counted: SQL | undefined): Promise<Refusal | null> {
  const [files] = await tx
    .select({ n: count(), bytes: sql<string>`coalesce(sum(${fileTable.size}), 0)` })
    .from(fileTable)
    .where(and(eq(fileTable.uploader_id, userId), isNull(fileTable.owner_module)));
  const [coming] = await tx
    .select({ n: count(), bytes: sql<string>`coalesce(sum(${uploadTable.size}), 0)` })
    .from(uploadTable)
    .where(and(eq(uploadTable.uploader_id, userId), isNull(uploadTable.file_id), counted));
  if (files!.n + coming!.n >= maxLoose) return tooManyLoose(maxLoose);
  if (Number(files!.bytes) + Number(coming!.bytes) + size > maxLargest * largest) return tooMuchLoose();
  return null;
}

/** Refuses if a person has too many unattached uploads. Those that `takeRoom` would end are not counted. */
export async function checkRoom(tx: Db, asked: Asked): Promise<void> {
  const why = await refused(tx, asked, and(alive, not(idle)));
  if (why) throw why;
}

/**
 * The final check in the transaction that takes the space: serialised per person until it ends. If there is no space, their unfinished uploads idle
 * for minutes are ended.
 */
export async function takeRoom(tx: Db, asked: Asked): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('file_upload'), ${asked.userId})`);
  if (!(await refused(tx, asked, alive))) return;
  const left = and(eq(uploadTable.uploader_id, asked.userId), isNull(uploadTable.file_id), alive, idle);
  const rows = await tx.select({ id: uploadTable.id }).from(uploadTable).where(left);
  await endUploads(
    tx,
    rows.map(({ id }) => id),
  );
  await checkRoom(tx, asked);
}

/** Ends uploads; their portions are purged later. */
export async function endUploads(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const over = sql`now() - make_interval(hours => ${looseHours + 1})`;
  await tx
    .update(uploadTable)
    .set({ moved_at: over })
    .where(inArray(uploadTable.id, [...ids]));
}

/** Deletes a person's unattached upload; returns whether there was one. */
export async function dropLoose(tx: Db, id: number, userId: number): Promise<boolean> {
  const loose = and(eq(fileTable.id, id), eq(fileTable.uploader_id, userId), isNull(fileTable.owner_module));
  return (await tx.delete(fileTable).where(loose).returning({ id: fileTable.id })).length > 0;
}

/** Deletes unattached uploads after a day; returns true if more may wait. */
export async function purgeLoose(tx: Db): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    delete from file where id in (
      select id from file
      where owner_module is null and gmt_created < now() - make_interval(hours => ${looseHours})
      limit ${portion} for update skip locked)`);
  return rowCount === portion;
}

/** Removes the portions of complete uploads, and of those a day old with their rows; returns true if more may wait. */
export async function purgePortions(tx: Db, store: Store): Promise<boolean> {
  const ended = sql`(${uploadTable.file_id} is not null and ${uploadTable.portions} <> '[]') or not (${alive})`;
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
