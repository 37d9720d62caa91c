import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { fileById } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { documentFileTable } from '../tables/files.ts';
import type { Place } from './places.ts';
import { editorOpen, fileLocked, lockedByOwn } from '../contract/files/file-refusals.ts';

const running = (now: Date) => gt(documentFileTable.lock_until, now.toISOString());

/** The lock of a place, if it has not expired. */
export async function lockOf(tx: Db, id: number, now: Date, hold = false): Promise<string | null> {
  const { lock_id: lockId } = documentFileTable;
  if (hold) await tx.execute(sql`select 1 from document_file where id = ${id} for update`);
  const [row] = await tx
    .select({ lockId })
    .from(documentFileTable)
    .where(and(eq(documentFileTable.id, id), running(now)));
  return row?.lockId ?? null;
}

/** Sets, renews or drops the lock of a place; renewing keeps its first holder. */
export async function keepLock(
  tx: Db,
  id: number,
  lock: { id: string; userId: number; until: Date } | null,
): Promise<void> {
  const first = sql`case when ${documentFileTable.lock_id} = ${lock?.id ?? ''} and ${documentFileTable.lock_until} > now()
    then ${documentFileTable.locked_by} else ${lock?.userId ?? 0} end`;
  const kept = lock
    ? { lock_id: lock.id, locked_by: first, lock_until: lock.until.toISOString() }
    : { lock_id: null, locked_by: null, lock_until: null };
  await tx.update(documentFileTable).set(kept).where(eq(documentFileTable.id, id));
}

/** The present editors of the given places, by place. */
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

/** Refuses if the place is open in an editor, whoever has it open. */
export async function checkLock(tx: Db, place: Place, user: { id: number }, now: Date): Promise<void> {
  const lock = (await locksOn(tx, place.document_id, now)).get(place.id);
  if (!lock) return;
  const name = (await fileById(tx, place.file_id))?.name ?? '文件';
  const until = lock.until.slice(0, 16);
  // The editor's next save would overwrite an upload.
  if (lock.userId === user.id) throw lockedByOwn(name, until);
  throw fileLocked(name, await nameOf(tx, lock.userId), until);
}

/** Refuses to move a document on while an editor holds one of its files, because unsaved changes would be lost. */
export async function refuseOpenEditor(tx: Db, documentId: number, now: Date): Promise<void> {
  const [open] = await locksOn(tx, documentId, now);
  if (!open) return;
  const [placeId, lock] = open;
  const [place] = await tx.select().from(documentFileTable).where(eq(documentFileTable.id, placeId));
  const file = await fileById(tx, place!.file_id);
  throw editorOpen(file?.name ?? '文件', await nameOf(tx, lock.userId), lock.until.slice(0, 16));
}

const nameOf = async (tx: Db, id: number) => (await peopleById(tx, [id])).get(id)?.alias ?? '他人';
