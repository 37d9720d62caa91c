import { randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { Readable } from 'node:stream';
import { absent, codes, Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileStream } from '#kernel/server/files/storage.ts';
import type { Accepted } from './acceptance.ts';
import { beyondSize, elsewhere, tooManyPortions, uploadBroken } from '../contract.ts';
import { admitted, aside, enter, type FileStore } from './store.ts';
import { alive, dropLoose, endUploads, portionFolder } from './loose.ts';
import type { OwnerRule } from '../read/owners.ts';
import type { Spooled } from './spool.ts';
import { uploadTable } from '../tables.ts';

export type UploadRow = typeof uploadTable.$inferSelect;
/** The result of a portion: some bytes under a key, or the last ones and with them the file. */
export type Portion = { key: string; size: number } | { file: Accepted };

/** Our portions are of a megabyte; an interrupted or slow connection makes more of them. */
const portionsAtMost = (size: number) => Math.max(1000, Math.ceil(size / 2 ** 16));

/** A person's unfinished upload. Throws `absent`. */
export async function uploadOf(tx: Db, id: number, userId: number): Promise<UploadRow> {
  const mine = and(eq(uploadTable.id, id), eq(uploadTable.uploader_id, userId), alive);
  const [row] = await tx.select().from(uploadTable).where(mine);
  if (!row) throw absent('这次上传');
  return row;
}

/**
 * Receives bytes at the upload's position; those that arrived before the sender left count. The last portion makes the whole, which passes all checks
 * of a file sent at once.
 */
export async function takePortion(
  fileStore: FileStore,
  row: UploadRow,
  sent: { offset: number; content: Readable; rule: OwnerRule },
): Promise<Portion> {
  if (row.file_id !== null || sent.offset !== row.come) throw elsewhere(row.come);
  const atMost = portionsAtMost(row.size);
  if (row.portions.length >= atMost) throw tooManyPortions(atMost);
  const left = { most: row.size - row.come, name: row.name, tooBig: () => beyondSize() };
  return aside(fileStore, sent.content, left, async (last) => {
    if (last.size === 0) throw uploadBroken();
    if (row.come + last.size === row.size) return { file: await finished(fileStore, row, last, sent.rule) };
    const key = `${portionFolder(row.id)}/${row.come}-${randomUUID()}`;
    await fileStore.store.put(key, fileStream(last.path));
    return { key, size: last.size };
  });
}

/** Cancels an upload; its file is deleted, unless a record holds it. */
export async function cancelUpload(tx: Db, row: UploadRow): Promise<void> {
  await endUploads(tx, [row.id]);
  if (row.file_id !== null) await dropLoose(tx, row.file_id, row.uploader_id);
}

/** Adds a portion unless somebody else has added one meanwhile; then throws `elsewhere` and discards it. Returns the file's id when it is complete. */
export async function addPortion(
  tx: Db,
  fileStore: FileStore,
  row: UploadRow,
  portion: Portion,
): Promise<number | null> {
  const unmoved = and(eq(uploadTable.id, row.id), eq(uploadTable.come, row.come), isNull(uploadTable.file_id), alive);
  const come = 'file' in portion ? row.size : row.come + portion.size;
  const portions =
    'file' in portion ? row.portions : sql`${uploadTable.portions} || ${JSON.stringify([portion.key])}::jsonb`;
  const moved = await tx
    .update(uploadTable)
    .set({ come, portions, moved_at: sql`now()` })
    .where(unmoved)
    .returning({ id: uploadTable.id });
  if (moved.length === 0) {
    if ('key' in portion) await fileStore.store.remove(portion.key);
    const [now] = await tx.select().from(uploadTable).where(eq(uploadTable.id, row.id));
    throw elsewhere(now?.come ?? 0);
  }
  if (!('file' in portion)) return null;
  const fileId = await enter(tx, portion.file, { module: row.module, uploader_id: row.uploader_id });
  await tx.update(uploadTable).set({ file_id: fileId }).where(eq(uploadTable.id, row.id));
  return fileId;
}

async function finished(fileStore: FileStore, row: UploadRow, last: Spooled, rule: OwnerRule): Promise<Accepted> {
  const whole = Readable.from(inOrder(fileStore, row, last));
  try {
    return await aside(fileStore, whole, { most: row.size, name: row.name }, (sent) => {
      if (sent.size !== row.size) throw new Error(`upload ${row.id} lost bytes in the store`);
      return admitted(fileStore, sent, { name: row.name, rule, by: row.uploader_id });
    });
  } catch (error) {
    // A failed check would fail again; a store that is down comes back.
    if (error instanceof Refusal && error.code !== codes.notNow)
      await fileStore.databases.write((tx) => endUploads(tx, [row.id]));
    throw error;
  }
}

async function* inOrder(fileStore: FileStore, row: UploadRow, last: Spooled): AsyncGenerator<Buffer> {
  for (const key of row.portions) {
    const portion = await fileStore.store.get(key);
    if (!portion) throw new Error(`portion ${key} is not in the store`);
    yield* portion as AsyncIterable<Buffer>;
  }
  yield* fileStream(last.path) as AsyncIterable<Buffer>;
}
