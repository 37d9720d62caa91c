import { Readable } from 'node:stream';
import { Refusal } from '#kernel/contract/refusal.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import type { By } from '#kernel/server/jobs/turns.ts';
import type { PictureType } from '#kernel/server/files/image.ts';
import { cleanFileName } from '#kernel/server/files/file-name.ts';
import { notMarked, storeAway } from '../contract.ts';
import { aside, type FileStore } from '../store/store.ts';
import type { FileRow } from '../read/preview.ts';
import { pdfUnder, pdfWithStrokes, pdfWithWords, type Drawing } from './pdf.ts';
import { withLine } from './text.ts';
import { withWords } from './picture.ts';

/** The watermark of a copy, and its requester. */
export interface Watermark {
  words: string;
  by: By;
}

/** The properties of a file named in refusals. */
export type Named = Pick<FileRow, 'id' | 'name' | 'ext'>;

const mostPdf = 200 * 2 ** 20;

/** A file with the reader's watermark. Throws `notMarked` if it cannot carry one, because no file leaves without it; also `lineFull` and `ownLineFull`. */
export async function watermarked(
  fileStore: FileStore,
  file: Named,
  shown: FileReply,
  { words, by }: Watermark,
): Promise<FileReply> {
  if (shown.type.startsWith('image/'))
    return { type: shown.type, ...sized(await withWords(() => opened(shown), words, shown.type as PictureType, by)) };
  if (shown.type.startsWith('text/plain')) {
    const text = await opened(shown);
    return { type: shown.type, bytes: Readable.from(withLine(file.ext, text, words), { objectMode: false }) };
  }
  return overPdf(fileStore, file, shown, (path) => pdfWithWords(path, words, by));
}

/** The same for a PDF with one of our pages over each of its own. */
export const stampedOver = (fileStore: FileStore, file: Named, shown: FileReply, over: Uint8Array, by: By) =>
  overPdf(fileStore, file, shown, (path) => pdfUnder(path, over, by));

/** The same for a PDF with strokes drawn on its pages. */
export const drawnOver = (fileStore: FileStore, file: Named, shown: FileReply, drawing: Drawing, by: By) =>
  overPdf(fileStore, file, shown, (path) => pdfWithStrokes(path, drawing, by));

async function overPdf(
  fileStore: FileStore,
  file: Named,
  shown: FileReply,
  make: (path: string) => Promise<Buffer>,
): Promise<FileReply> {
  if (shown.type !== 'application/pdf') throw notMarked(file.name, `${file.ext} 文件不能加水印`);
  const made = await aside(
    fileStore,
    await opened(shown),
    { most: mostPdf, name: file.name },
    async ({ path, broken }) => {
      if (broken) throw storeAway(file.name);
      return make(path).catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        fileStore.log.warn({ err: error, file: file.id }, 'pdf not marked');
        throw notMarked(file.name, '它已加密、已损坏或过大，无法加水印');
      });
    },
  );
  return { type: shown.type, ...sized(made) };
}

/** The name under which a watermarked copy is saved: its extension follows the new type. */
export function nameOfWatermarked({ name, ext }: FileRow, { type }: FileReply): string {
  const ending = type === 'application/pdf' ? 'pdf' : ext;
  return cleanFileName(`${name.replace(/\.[^.]*$/, '')}.${ending}`);
}

const sized = (bytes: Buffer) => ({ bytes, size: bytes.length });

async function opened({ bytes }: FileReply): Promise<Readable> {
  if (typeof bytes === 'function') return bytes();
  return bytes instanceof Readable ? bytes : Readable.from([bytes]);
}
