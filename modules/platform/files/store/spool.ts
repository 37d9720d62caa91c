import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A temporary file on this machine, for the duration of one call. */
export interface Spooled {
  path: string;
  size: number;
  sha256: string;
  /** The sender left before the end; the received part is here. */
  broken: boolean;
  remove(): Promise<void>;
}

/** Writes a stream to disk. Throws `tooBig()` as soon as more than `most` bytes have come, and removes the file. */
export async function spool(folder: string, content: Readable, most: number, tooBig: () => Error): Promise<Spooled> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const remove = () => rm(path, { force: true });
  const hash = createHash('sha256');
  let size = 0;
  let broken = false;
  const file = await open(path, 'wx', 0o600);
  try {
    // Destroying a request's stream would cut the connection that carries the refusal.
    const chunks = content.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    for (;;) {
      const next = await chunks.next().catch(() => ({ done: true, value: undefined, broken: true }) as const);
      broken = 'broken' in next;
      if (next.done) break;
      size += next.value.length;
      if (size > most) throw tooBig();
      hash.update(next.value);
      // `write` may write only a part.
      await file.appendFile(next.value);
    }
  } catch (error) {
    await file.close();
    await remove();
    throw error;
  }
  await file.close();
  return { path, size, sha256: hash.digest('hex'), broken, remove };
}

const forgottenAfter = 24 * 3600_000;

/** Removes files left by a killed process. */
export async function clearSpool(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && now.getTime() - found.mtimeMs > forgottenAfter) await rm(path, { force: true });
  }
}
