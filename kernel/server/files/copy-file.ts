import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file of a folder: `path` is relative with `/` on every platform; `sha256` is the hexadecimal hash of its bytes. */
export interface Copied {
  path: string;
  size: number;
  sha256: string;
}
type Weighed = Omit<Copied, 'path'>;

/** Reads everything and keeps nothing. */
async function noBytes(chunks: AsyncIterable<Buffer>): Promise<void> {
  const next = chunks[Symbol.asyncIterator]();
  while (!(await next.next()).done);
}

const small = 4 * 2 ** 20;

async function passing(from: string, to: string | null): Promise<Weighed> {
  const hash = createHash('sha256');
  // Most files of a database are small: a stream for each would take ten times as long.
  if ((await stat(from)).size <= small) {
    const bytes = await readFile(from);
    if (to) await writeFile(to, bytes, { mode: 0o600 });
    return { size: bytes.length, sha256: hash.update(bytes).digest('hex') };
  }
  let size = 0;
  const weigh = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  const source = createReadStream(from, { highWaterMark: 2 ** 20 });
  await (to ? pipeline(source, weigh, createWriteStream(to, { mode: 0o600 })) : pipeline(source, weigh, noBytes));
  return { size, sha256: hash.digest('hex') };
}

/** Copies a file and hashes it on the way. Missing folders are created with access for us alone. */
export async function copyFile(from: string, to: string): Promise<Weighed> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return passing(from, to);
}

/** Returns the size and hash of a file without copying it. */
export const weighFile = (file: string): Promise<Weighed> => passing(file, null);

/** Resolves when these files of a folder are on the disk; many are flushed at a time, which the disk does in one go. */
export async function flushFiles(folder: string, paths: readonly string[]): Promise<void> {
  const waiting = paths.values();
  const flush = async () => {
    for (const path of waiting) {
      const file = await open(join(folder, path), 'r+');
      await file.sync().finally(() => file.close());
    }
  };
  await Promise.all(Array.from({ length: 32 }, flush));
}
