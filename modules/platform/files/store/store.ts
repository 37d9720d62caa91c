import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { Refusal } from '#kernel/contract/refusal.ts';
import { fileTooBig } from '#kernel/contract/upload.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { fileStream, type Store } from '#kernel/server/files/storage.ts';
import type { By } from '#kernel/server/jobs/turns.ts';
import { TooLongToScan, type Scan } from '#kernel/server/files/virus-scan.ts';
import { accepted, type Accepted } from './acceptance.ts';
import { derivedKey, keep, refer } from './content.ts';
import { infected, notScanned, storeDown, tooLongToScan } from '../contract.ts';
import type { OwnerRule } from '../read/owners.ts';
import { spool, type Spooled } from './spool.ts';
import { fileTable } from '../tables.ts';

/** The storage of files, and its checks. */
export interface FileStore {
  store: Store;
  /** A folder of this machine for temporary files. */
  spoolFolder: string;
  scan: Scan | null;
  databases: Pick<Databases, 'write'>;
  log: Logger;
}

/** Spools bytes while `work` examines them. `name` is only used in refusals. */
export async function aside<T>(
  fileStore: FileStore,
  content: Readable,
  { most, name, tooBig = () => fileTooBig(most) }: { most: number; name: string; tooBig?: () => Refusal },
  work: (sent: Spooled) => Promise<T>,
): Promise<T> {
  let sent: Spooled | undefined;
  try {
    sent = await spool(fileStore.spoolFolder, content, most, tooBig);
    return await work(sent);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    fileStore.log.error({ err: error }, 'file not kept');
    throw storeDown(name);
  } finally {
    await sent?.remove();
  }
}

/** All checks that a file must pass, however it came; its bytes are in the store afterwards. */
export async function admitted(
  fileStore: FileStore,
  sent: Spooled,
  { name, rule, by }: { name: string; rule: OwnerRule; by: By },
): Promise<Accepted> {
  const file = await accepted(sent, name, rule, by);
  if (fileStore.scan) {
    const found = await fileStore.scan(fileStream(sent.path)).catch((error: unknown) => {
      fileStore.log.error({ err: error }, 'virus scan failed');
      throw error instanceof TooLongToScan ? tooLongToScan(file.name) : notScanned(file.name);
    });
    if (found) throw infected(file.name);
  }
  await keepPicture(fileStore, file);
  return file;
}

/** Stores a file and its derived pictures. */
export async function keepPicture(fileStore: FileStore, file: Accepted): Promise<void> {
  await keep(fileStore, file);
  for (const [size, bytes] of Object.entries({ thumb: file.thumb, ...file.larger }))
    if (bytes) await fileStore.store.put(derivedKey(file.sha256, size as 'thumb'), Readable.from([bytes]));
}

/** Inserts the row of an admitted file; returns its id. */
export async function enter(tx: Db, file: Accepted, by: { module: string; uploader_id: number }): Promise<number> {
  const { name, ext, mime, size, sha256, shot = null } = file;
  await refer(tx, sha256);
  const [row] = await tx
    .insert(fileTable)
    .values({ name, ext, mime, size, sha256, shot, ...by })
    .returning({ id: fileTable.id });
  return row!.id;
}

declare module '#kernel/server/services.ts' {
  interface Services {
    fileStore: FileStore;
  }
}
