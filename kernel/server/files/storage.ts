import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '../http/implement.ts';

/**
 * Keeps bytes under keys that this product makes: `a-z`, digits, `-`, `.`, and `/` between parts. Every method fails with the store's own error if
 * the store cannot be reached or is full.
 */
export interface Store {
  /** Stores the whole stream or nothing; the previous content of the key stays readable until then. */
  put(key: string, content: Readable): Promise<void>;
  /** The bytes, or null if the key does not exist. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** The number of bytes under the key, or null. */
  size(key: string): Promise<number | null>;
  /** Does nothing if the key does not exist. */
  remove(key: string): Promise<void>;
  /** Keys that begin with `folder/`. */
  list(folder: string): Promise<string[]>;
}

const spelled = /^[a-z0-9][a-z0-9-]*(?:[./][a-z0-9][a-z0-9-]*)*$/;

/** Throws for a key that could lead out of the store: keys are ours, so this is a bug. */
export function checkKey(key: string): string {
  if (!spelled.test(key) || key.length > 200) throw new Error(`not a key of the store: ${JSON.stringify(key)}`);
  return key;
}

const notThere = (error: unknown): null => {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
  throw error;
};

/** A folder of this machine, or one that all nodes mount. A file is written aside, forced to the disk and renamed. */
export function createLocalStore(folder: string): Store {
  const placeOf = (key: string) => join(folder, ...checkKey(key).split('/'));
  return {
    async put(key, content) {
      const place = placeOf(key);
      const aside = join(folder, 'aside', randomUUID());
      await mkdir(dirname(aside), { recursive: true });
      try {
        await pipeline(content, createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true }));
        await mkdir(dirname(place), { recursive: true });
        await rename(aside, place);
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
      await syncFolder(dirname(place));
    },
    async get(key, range) {
      const file = await open(placeOf(key)).catch(notThere);
      if (!file) return null;
      return file.createReadStream(range ? { start: range.first, end: range.last } : {});
    },
    async size(key) {
      const found = await stat(placeOf(key)).catch(notThere);
      return found?.isFile() ? found.size : null;
    },
    async remove(key) {
      await rm(placeOf(key), { force: true });
    },
    async list(under) {
      const names = await readdir(placeOf(under), { recursive: true, withFileTypes: true }).catch(notThere);
      return (names ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(folder.length + 1)
            .replaceAll('\\', '/'),
        );
    },
  };
}

/** The rename itself survives a power cut only with its folder; some systems cannot open one. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Reads a file of this machine into a store. */
export const fileStream = (path: string): Readable => createReadStream(path, { highWaterMark: 256 * 1024 });
