import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Refusal } from '#kernel/contract/refusal.ts';
import type { ByteRange } from '#kernel/server/http/implement.ts';
import { contentLost, storeAway } from '../contract.ts';
import type { FileRow } from '../read/preview.ts';
import { keyOf } from './content.ts';
import type { FileStore } from './store.ts';

/** The parts of the storage that opening a content takes. */
export type Opens = Pick<FileStore, 'store' | 'log'>;
type Named = Pick<FileRow, 'name'>;

/** A reply of the store for a reader. Throws `storeAway` if it fails, because it may work again later. */
export async function answered<T>({ log }: Opens, { name }: Named, asking: Promise<T>): Promise<T> {
  return asking.catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    log.error({ err: error }, 'store does not answer');
    throw storeAway(name);
  });
}

/** The bytes under a key of a file. Throws `storeAway` if the store cannot be reached, and `contentLost` if it does not have them. */
export async function openKey(fileStore: Opens, file: Named, key: string, range?: ByteRange): Promise<Readable> {
  const bytes = await answered(fileStore, file, fileStore.store.get(key, range));
  if (bytes) return bytes;
  fileStore.log.error({ key }, 'content lost');
  throw contentLost(file.name);
}

/** A stored file as a stream. Throws as `openKey` does. */
export const streamOf = (fileStore: Opens, file: Pick<FileRow, 'name' | 'sha256'>): Promise<Readable> =>
  openKey(fileStore, file, keyOf(file.sha256));

/** The bytes of a stored file. Throws as `openKey` does. */
export const bytesOf = async (fileStore: Opens, file: Pick<FileRow, 'name' | 'sha256'>): Promise<Buffer> =>
  answered(fileStore, file, buffer(await streamOf(fileStore, file)));
