import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file of a folder: `path` from it, with `/` on every platform; `sha256` in hexadecimal of its bytes. */
export interface Copied {
  path: string;
  size: number;
  sha256: string;
}
type Weighed = Omit<Copied, 'path'>;

async function passing(from: string, to: NodeJS.WritableStream | null): Promise<Weighed> {
  const hash = createHash('sha256');
  let size = 0;
  const weigh = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      if (to) yield chunk;
    }
  };
  const source = createReadStream(from, { highWaterMark: 1 << 20 });
  if (to) await pipeline(source, weigh, to);
  else for await (const _none of weigh(source));
  return { size, sha256: hash.digest('hex') };
}

/** Copies a file, hashing what is copied; it is on the disk when this resolves. Folders on the way are made for us alone. */
export async function copyFile(from: string, to: string): Promise<Weighed> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return passing(from, createWriteStream(to, { mode: 0o600, flush: true }));
}

/** Size and hash of a file as it is. */
export const weighFile = (file: string): Promise<Weighed> => passing(file, null);
