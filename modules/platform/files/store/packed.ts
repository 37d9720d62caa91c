import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { holdFailure } from '#kernel/server/process/held-failure.ts';
import type { FileRow } from '../read/preview.ts';
import { streamOf } from './opening.ts';
import type { FileStore } from './store.ts';

/** A file in a package. */
export interface Member {
  path: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
}
/** A package being filled. */
export interface Package {
  addBytes(path: string, bytes: Buffer): void;
  /** Streamed when its turn comes. */
  addFile(path: string, file: FileRow | null | undefined): void;
}

/** A name that no system interprets as a path. */
export const plainName = (name: string) => name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');

/** A zip for permanent storage: its files, and their data as `metadata.json`. */
export function packed(
  fileStore: FileStore,
  { mtime, fill, about }: { mtime: Date; fill(into: Package): void; about(members: readonly Member[]): object },
): Readable {
  const zip = new ZipFile();
  const out = holdFailure(zip.outputStream as Readable);
  zip.on('error', (error) => out.destroy(error));
  const members: Member[] = [];
  fill({
    addBytes(path, bytes) {
      members.push({ path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
      zip.addBuffer(bytes, path, { mtime });
    },
    addFile(path, file) {
      if (!file) return;
      members.push({ path, size: file.size, sha256: file.sha256 });
      zip.addReadStreamLazy(path, { mtime, compress: false, size: file.size }, (opened) => {
        streamOf(fileStore, file).then(
          (bytes) => {
            bytes.on('error', (error) => out.destroy(error));
            opened(null, bytes);
          },
          (error: Error) => out.destroy(error),
        );
      });
    },
  });
  zip.addBuffer(Buffer.from(JSON.stringify(about(members), null, 2)), 'metadata.json', { mtime });
  zip.end();
  return out;
}
