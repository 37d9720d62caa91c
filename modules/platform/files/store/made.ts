import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { and, eq, inArray } from 'drizzle-orm';
import { cleanFileName } from '#kernel/server/files/file-name.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileStream } from '#kernel/server/files/storage.ts';
import { keep, type Content } from './content.ts';
import { aside, enter, type FileStore } from './store.ts';
import type { FileRow } from '../read/preview.ts';
import { fileTable } from '../tables.ts';

/** A file made by the product itself, not yet attached to a record. */
export interface Made extends Content {
  ext: string;
  mime: string;
}

/** Stores bytes that the product made; no record refers to them yet. */
export async function keepMade(
  fileStore: FileStore,
  bytes: Buffer,
  kind: { ext: string; mime: string },
): Promise<Made> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const made = { sha256, size: bytes.length, open: () => Readable.from([bytes]), ...kind };
  await keep(fileStore, made);
  return made;
}

/** The largest size that a file's row can hold. */
const most = 2 ** 31 - 1;

/** The same for content too big for memory: it is spooled to disk. Throws if the stream fails. */
export function keepMadeStream(
  fileStore: FileStore,
  content: Readable,
  kind: { ext: string; mime: string },
): Promise<Made> {
  return aside(fileStore, content, { most, name: kind.ext }, async ({ broken, path, size, sha256 }) => {
    if (broken) throw new Error('what was made broke off');
    const made = { sha256, size, open: () => fileStream(path), ...kind };
    await keep(fileStore, made);
    return made;
  });
}

/** Attaches a made file to a record; returns its id. */
export async function giveMade(
  tx: Db,
  made: Made,
  { name, module, recordId, by }: { name: string; module: string; recordId: number; by: number },
): Promise<number> {
  const id = await enter(
    tx,
    { ...made, name: cleanFileName(`${name}.${made.ext}`), thumb: null },
    { module, uploader_id: by },
  );
  await tx
    .update(fileTable)
    .set({ owner_module: module, owner_id: String(recordId) })
    .where(eq(fileTable.id, id));
  return id;
}

/** A file's row, whoever owns it; null if there is none. The caller has checked the right to see it. */
export async function fileById(tx: Db, id: number): Promise<FileRow | null> {
  const [row] = await tx.select().from(fileTable).where(eq(fileTable.id, id));
  return row ?? null;
}

/** Existing files by id. */
export async function filesById(tx: Db, ids: readonly number[]): Promise<Map<number, FileRow>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(fileTable)
    .where(inArray(fileTable.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Those of some files whose bytes are held by records of a module, as these files or as others: their ids, and the records. */
export async function heldBy(
  tx: Db,
  module: string,
  ids: readonly number[],
): Promise<{ name: string; held: number[]; records: number[] }[]> {
  const files = [...(await filesById(tx, ids)).values()];
  if (files.length === 0) return [];
  const { id, sha256, owner_module, owner_id } = fileTable;
  const sums = files.map((file) => file.sha256);
  const same = await tx
    .select({ id, sha256, owner_id })
    .from(fileTable)
    .where(and(inArray(sha256, sums), eq(owner_module, module)));
  return files.flatMap(({ name, sha256: sum }) => {
    const held = same.filter((one) => one.sha256 === sum);
    const records = held.map((one) => Number(one.owner_id));
    return held.length === 0 ? [] : [{ name, held: held.map((one) => one.id), records }];
  });
}
