import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { fileById } from '#modules/files/service.ts';
import { peopleById } from '#modules/people/service.ts';
import { documentFileTable } from '../tables/files.ts';
import type { Place } from './places.ts';
import { fileLocked } from '../contract/files/file-refusals.ts';

const running = (now: Date) => gt(documentFileTable.lock_until, now.toISOString());

/** The lock of a place while it has not run out. */
export async function lockOf(tx: Db, id: number, now: Date, hold = false): Promise<string | null> {
  const { lock_id: lockId } = documentFileTable;
  if (hold) await tx.execute(sql`select 1 from document_file where id = ${id} for update`);
  const [row] = await tx
    .select({ lockId })
    .from(documentFileTable)
    .where(and(eq(documentFileTable.id, id), running(now)));
  return row?.lockId ?? null;
}

/** Keeps, renews or drops the lock of a place; a renewed one stays with whoever took it first. */
export async function keepLock(
  tx: Db,
  id: number,
  lock: { id: string; userId: number; until: Date } | null,
): Promise<void> {
  const first = sql`case when ${documentFileTable.lock_id} = ${lock?.id ?? ''} and ${documentFileTable.lock_until} > now()
    then ${documentFileTable.locked_by} else ${lock?.userId ?? 0} end`;
  const kept = lock
    ? { lock_id: lock.id, locked_by: first as never, lock_until: lock.until.toISOString() }
    : { lock_id: null, locked_by: null, lock_until: null };
  await tx.update(documentFileTable).set(kept).where(eq(documentFileTable.id, id));
}

/** Who works on which of some places now, by place. */
export async function locksOn(
  tx: Db,
  documentId: number,
  now: Date,
): Promise<Map<number, { userId: number; until: string }>> {
  const { id, locked_by: lockedBy, lock_until: lockUntil } = documentFileTable;
  const rows = await tx
    .select({ id, userId: lockedBy, until: lockUntil })
    .from(documentFileTable)
    .where(and(eq(documentFileTable.document_id, documentId), running(now)));
  return new Map(rows.map((row) => [row.id, { userId: row.userId!, until: row.until! }]));
}

/** Refuses where somebody else works on a place that is held. */
export async function checkLock(tx: Db, place: Place, user: { id: number }, now: Date): Promise<void> {
  const lock = (await locksOn(tx, place.document_id, now)).get(place.id);
  if (!lock || lock.userId === user.id) return;
  const file = await fileById(tx, place.file_id);
  const who = (await peopleById(tx, [lock.userId])).get(lock.userId)?.alias ?? '他人';
  throw fileLocked(file?.name ?? '文件', who, lock.until.slice(0, 16));
}
