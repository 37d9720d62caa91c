import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Db } from '#kernel/server/db/db.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import { notMarked } from '#modules/platform/files/contract.ts';
import {
  longestText,
  watermarkedCopy,
  markedKind,
  nameOfWatermarked,
  wholeFile,
  wordsFor,
  type FileRow,
} from '#modules/platform/files/service.ts';
import type { Held } from './held.ts';
import type { Hosting } from '../hosting.ts';
import type { GivenPass } from './passes.ts';

/** A file as one person's editor receives it. */
export interface Shown {
  name: string;
  ext: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
  content: FileReply;
  mayWrite: boolean;
}

const words = ({ settings, files: { rule } }: Hosting, tx: Db, file: FileRow, reader: number, since: Date) =>
  wordsFor(tx, file, reader, { rule, settings, since });

/** The stored file for somebody who may change it; for others a watermarked copy, if required. Throws `notMarked` if it cannot carry the watermark. */
export async function shownTo(hosting: Hosting, tx: Db, held: Held, pass: GivenPass): Promise<Shown> {
  const { file } = held;
  const mayWrite = pass.write && held.mayWrite;
  // Uses the time of the pass, so that the announced and the fetched copy are the same.
  const mark = mayWrite ? null : await words(hosting, tx, file, pass.userId, pass.made);
  if (mark === null) {
    const { name, ext, size, sha256 } = file;
    return { name, ext, size, sha256, content: wholeFile(hosting.fileStore, file), mayWrite };
  }
  const ext = markedKind(file, hosting.toPdf);
  if (ext === file.ext && file.size > longestText) throw notMarked(file.name, '内容过长，不能在线打开，请下载');
  const copy = await watermarkedCopy(hosting, file, { words: mark, by: pass.userId });
  const bytes = Buffer.isBuffer(copy.bytes) ? copy.bytes : await buffer(copy.bytes as Readable);
  return {
    name: nameOfWatermarked(file, copy),
    ext,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    content: { ...copy, bytes, size: bytes.length },
    mayWrite,
  };
}

/** The kind of file that a reader's editor receives. Throws `notMarked` if it receives none. */
export async function kindForReader(
  hosting: Hosting,
  tx: Db,
  file: FileRow,
  { reader, now }: { reader: number; now: Date },
): Promise<string> {
  const mark = await words(hosting, tx, file, reader, now);
  return mark === null ? file.ext : markedKind(file, hosting.toPdf);
}
