import { asc, gt, sql, inArray } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Db } from '#kernel/server/db/db.ts';
import type { Store } from '#kernel/server/files/storage.ts';
import { keyOf } from './content.ts';
import { contentTable, fileTable } from '../tables.ts';

export interface FilesFound {
  contents: number;
  /** Hashes whose bytes are missing from the store, or differ. */
  broken: string[];
}

const portion = 500;

/** The files with one of these content hashes, with their records. */
export async function filesOfContents(
  tx: Db,
  hashes: readonly string[],
): Promise<{ name: string; module: string; record: string | null }[]> {
  if (hashes.length === 0) return [];
  return tx
    .select({ name: fileTable.name, module: fileTable.module, record: fileTable.owner_id })
    .from(fileTable)
    .where(inArray(fileTable.sha256, [...hashes]))
    .orderBy(asc(fileTable.module), asc(fileTable.id));
}

/** Reads every content that a file refers to and compares it with its hash. */
export async function verifyFiles(tx: Db, store: Store): Promise<FilesFound> {
  const found: FilesFound = { contents: 0, broken: [] };
  const used = sql`exists (select 1 from ${fileTable} where ${fileTable.sha256} = ${contentTable.sha256})`;
  for (let after = ''; ;) {
    const rows = await tx
      .select({ sha256: contentTable.sha256 })
      .from(contentTable)
      .where(sql`${gt(contentTable.sha256, after)} and ${used}`)
      .orderBy(asc(contentTable.sha256))
      .limit(portion);
    for (const { sha256 } of rows) {
      found.contents += 1;
      if (!(await isWhole(store, sha256))) found.broken.push(sha256);
    }
    if (rows.length < portion) return found;
    after = rows.at(-1)!.sha256;
  }
}

/** True if the bytes of a file are there and unchanged. */
export async function isWhole(store: Store, sha256: string): Promise<boolean> {
  const bytes = await store.get(keyOf(sha256));
  if (!bytes) return false;
  const hash = createHash('sha256');
  await pipeline(bytes, hash);
  return hash.digest('hex') === sha256;
}
