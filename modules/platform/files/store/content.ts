import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Readable } from 'node:stream';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Store } from '#kernel/server/files/storage.ts';
import { contentTable, fileTable } from '../tables.ts';

/** Bytes to be stored under their hash. */
export interface Content {
  sha256: string;
  size: number;
  open(): Readable;
}

export type Derived = 'thumb' | 'medium' | 'large' | 'pdf';

export const keyOf = (sha256: string) => `content/${sha256.slice(0, 2)}/${sha256}`;
const derivedFolder = (sha256: string) => `derived/${sha256.slice(0, 2)}/${sha256}`;
/** The key of something derived from a content, made once. */
export const derivedKey = (sha256: string, what: Derived) => `${derivedFolder(sha256)}/${what}`;

/**
 * Stores a content unless it is there. Its row is written first, so that the store holds nothing that the database does not know; `refer` must follow
 * within the hour, in the transaction of the referring row.
 */
export async function keep(
  { databases, store }: { databases: Pick<Databases, 'write'>; store: Store },
  { sha256, size, open }: Content,
): Promise<void> {
  const stored = await databases.write(async (tx) => {
    const [row] = await tx
      .insert(contentTable)
      .values({ sha256, size })
      .onConflictDoUpdate({ target: contentTable.sha256, set: { touched_at: sql`now()` } })
      .returning({ is_stored: contentTable.is_stored });
    return row!.is_stored;
  });
  if (stored && (await store.size(keyOf(sha256))) === size) return;
  await store.put(keyOf(sha256), open());
}

/** Records in the referring transaction that the bytes are there. */
export async function refer(tx: Db, sha256: string): Promise<void> {
  await tx
    .update(contentTable)
    .set({ is_stored: true, touched_at: sql`now()`, left_at: null })
    .where(eq(contentTable.sha256, sha256));
}

const portion = 20;

/**
 * Removes contents no file refers to any more; returns true if more may wait. One pass marks, and a pass one day later removes: copying the files
 * within a day of the database gets everything it refers to. An interrupted removal leaves a content that its next upload stores again. The row stays
 * locked while its bytes are removed, so an upload of the same content waits and then stores it anew.
 */
export async function sweepContents(tx: Db, store: Store): Promise<boolean> {
  const unused = sql`${contentTable.touched_at} < now() - interval '1 hour'
    and (${contentTable.left_at} is null or ${contentTable.left_at} < now() - interval '1 day') and not exists (
    select 1 from ${fileTable} where ${fileTable.sha256} = ${contentTable.sha256})`;
  const rows = await tx
    .select({ sha256: contentTable.sha256, is_stored: contentTable.is_stored })
    .from(contentTable)
    .where(unused)
    .limit(portion)
    .for('update', { skipLocked: true });
  const hashes = (marked: boolean) => rows.filter((row) => row.is_stored === marked).map((row) => row.sha256);
  const [toMark, toRemove] = [hashes(true), hashes(false)];
  if (toMark.length > 0)
    await tx
      .update(contentTable)
      .set({ is_stored: false, left_at: sql`now()` })
      .where(inArray(contentTable.sha256, toMark));
  for (const sha256 of toRemove) {
    for (const key of await store.list(derivedFolder(sha256))) await store.remove(key);
    await store.remove(keyOf(sha256));
  }
  if (toRemove.length > 0)
    await tx.delete(contentTable).where(and(inArray(contentTable.sha256, toRemove), eq(contentTable.is_stored, false)));
  return rows.length > 0;
}
