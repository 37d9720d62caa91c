import { inArray } from 'drizzle-orm';
import type { Readable } from 'node:stream';
import { fileStream } from '#kernel/server/storage.ts';
import type { Db } from '#kernel/server/db.ts';
import { keep, keyOf, refer } from './content.ts';
import { aside, type Shelf } from './keeping.ts';
import { fileTable } from './tables.ts';

/** A file this product has made; its bytes lie in the store. */
export interface Made {
  name: string;
  ext: string;
  mime: string;
  size: number;
  sha256: string;
}

/** The most a file's row can say of its size. */
const most = 2 ** 31 - 1;

/** Keeps what this product made, as it comes; `enterMade` is to follow within the hour. Throws where the stream fails. */
export async function keepMade(
  shelf: Shelf,
  content: Readable,
  named: Pick<Made, 'name' | 'ext' | 'mime'>,
): Promise<Made> {
  return aside(shelf, content, { most, name: named.name }, async (sent) => {
    if (sent.broken) throw new Error(`${named.name} broke off`);
    const { size, sha256, path } = sent;
    await keep(shelf, { size, sha256, open: () => fileStream(path) });
    return { ...named, size, sha256 };
  });
}

/** Gives a made file to a record from its beginning; answers its id. */
export async function enterMade(
  tx: Db,
  made: Made,
  { module, recordId, userId }: { module: string; recordId: number; userId: number },
): Promise<number> {
  await refer(tx, made.sha256);
  const [row] = await tx
    .insert(fileTable)
    .values({ ...made, uploaderId: userId, module, ownerModule: module, ownerId: String(recordId) })
    .returning({ id: fileTable.id });
  return row!.id;
}

export type KeptFile = Pick<typeof fileTable.$inferSelect, 'id' | 'name' | 'ext' | 'size' | 'sha256'>;

/** What is known of files, by id. The caller has made sure that who asks may know it. */
export async function keptFiles(tx: Db, ids: readonly number[]): Promise<Map<number, KeptFile>> {
  if (ids.length === 0) return new Map();
  const { id, name, ext, size, sha256 } = fileTable;
  const rows = await tx
    .select({ id, name, ext, size, sha256 })
    .from(fileTable)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The bytes of a kept content. Throws where the store has lost them. */
export async function contentOf(shelf: Shelf, sha256: string): Promise<Readable> {
  const bytes = await shelf.store.get(keyOf(sha256));
  if (!bytes) throw new Error(`the store has lost ${sha256}`);
  return bytes;
}
