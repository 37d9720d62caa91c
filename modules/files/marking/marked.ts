import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileReply } from '#kernel/server/implement.ts';
import { cleanFileName } from '#kernel/server/file-name.ts';
import { notMarked, storeAway } from '../contract.ts';
import { aside, type Shelf } from '../keeping.ts';
import type { FileRow } from '../preview.ts';
import { pdfWithWords } from './pdf.ts';
import { withWords } from './picture.ts';

/** What refusals say of a file. */
export type Named = Pick<FileRow, 'id' | 'name' | 'ext'>;

const mostPdf = 200 * 2 ** 20;

/** What is handed out of a file, with the reader's words on it. Throws `notMarked` for what cannot carry them: nothing leaves without. */
export async function marked(
  shelf: Shelf,
  file: Named,
  shown: FileReply,
  words: string,
): Promise<FileReply & { bytes: Buffer }> {
  if (shown.type.startsWith('image/'))
    return { type: 'image/webp', ...sized(await withWords(await opened(shown), words)) };
  if (shown.type.startsWith('text/plain')) {
    const text = String(await buffer(await opened(shown)));
    return { type: shown.type, ...sized(Buffer.from(withLine(file.ext, text, words))) };
  }
  if (shown.type !== 'application/pdf') throw notMarked(file.name, `${file.ext} 文件不能加水印`);
  const made = await aside(shelf, await opened(shown), { most: mostPdf, name: file.name }, async ({ path, broken }) => {
    if (broken) throw storeAway(file.name);
    return pdfWithWords(path, words).catch((error: unknown) => {
      shelf.log.warn({ err: error, file: file.id }, 'pdf not marked');
      throw notMarked(file.name, '它已加密、已损坏或过大，无法加水印');
    });
  });
  return { type: shown.type, ...sized(made) };
}

/** The name a marked copy is saved by: its ending follows what it became. */
export function nameOfMarked({ name, ext }: FileRow, { type }: FileReply): string {
  const ending = type === 'application/pdf' ? 'pdf' : type === 'image/webp' ? 'webp' : ext;
  return cleanFileName(`${name.replace(/\.[^.]*$/, '')}.${ending}`);
}

const sized = (bytes: Buffer) => ({ bytes, size: bytes.length });

/** The last line says for whom; the mark at the beginning lets a spreadsheet read what was decoded. */
function withLine(ext: string, text: string, words: string): string {
  const line = ext === 'csv' ? `"${words.replaceAll('"', '""')}"` : `—— ${words} ——`;
  return `\ufeff${text.replace(/^\ufeff/, '')}${text.endsWith('\n') ? '' : '\r\n'}${line}\r\n`;
}

async function opened({ bytes }: FileReply): Promise<Readable> {
  if (typeof bytes === 'function') return bytes();
  return bytes instanceof Readable ? bytes : Readable.from([bytes]);
}
