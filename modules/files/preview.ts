import { buffer } from 'node:stream/consumers';
import { absent } from '#kernel/contract/refusal.ts';
import { officeKinds } from '#kernel/contract/upload.ts';
import type { FileReply } from '#kernel/server/implement.ts';
import type { ToPdf } from '#kernel/server/office-pdf.ts';
import { fileStream, type Store } from '#kernel/server/storage.ts';
import { encodingOf } from '#kernel/server/text-encoding.ts';
import { derivedKey, keyOf } from './content.ts';
import { notConverted, notMarked, notPreviewable, tooLongToPreview } from './contract.ts';
import { aside, type Shelf } from './keeping.ts';
import type { fileTable } from './tables.ts';

export type FileRow = typeof fileTable.$inferSelect;

const longestText = 2 * 2 ** 20;
const longestMarked = 50 * 2 ** 20;
/** Types a browser may show beside the application; anything else is only ever a download. */
const shown = new Set(['image/webp', 'image/png', 'application/pdf']);
const readableAsText = new Set(['txt', 'csv']);
const isOffice = (file: Pick<FileRow, 'ext'>) => officeKinds.some((kind) => kind === file.ext);

/** The bytes of a file as they were kept, in parts where parts are asked for. Fails where the store has lost them. */
export function wholeFile(store: Store, file: FileRow): FileReply {
  return stored(store, keyOf(file.sha256), { type: file.mime, size: file.size, tag: file.sha256 });
}

/** The small picture of a picture. */
export async function thumbOf(store: Store, file: FileRow): Promise<FileReply> {
  const key = derivedKey(file.sha256, 'thumb');
  const size = await store.size(key);
  if (size === null) throw absent('缩略图');
  return stored(store, key, { type: 'image/webp', size });
}

/** What a reader's name can be put on: the whole text, a PDF made of an office file, or the file as it is. */
export async function markableOf(shelf: Shelf, toPdf: ToPdf | null, file: FileRow): Promise<FileReply> {
  const kind = markedKind(file, toPdf);
  if (readableAsText.has(kind)) return textOf(shelf.store, file, longestMarked);
  return toPdf && isOffice(file) ? pdfOf(shelf, toPdf, file) : wholeFile(shelf.store, file);
}

/** The kind of file that a copy with a reader's name on it is. Throws `notMarked` where the name can be put on none. */
export function markedKind({ name, ext, mime }: FileRow, toPdf: ToPdf | null): string {
  if (readableAsText.has(ext)) return ext;
  if (mime.startsWith('image/')) return 'webp';
  if (mime === 'application/pdf') return 'pdf';
  if (!isOffice({ ext })) throw notMarked(name, `${ext} 文件不能加水印`);
  if (!toPdf) throw notMarked(name, '服务器上没有 LibreOffice，无法加水印');
  return 'pdf';
}

/** What a browser can show of a file: itself, its text, or a PDF made of it once. */
export async function previewOf(shelf: Shelf, toPdf: ToPdf | null, file: FileRow): Promise<FileReply> {
  if (shown.has(file.mime)) return wholeFile(shelf.store, file);
  if (readableAsText.has(file.ext)) return textOf(shelf.store, file, longestText);
  if (toPdf && isOffice(file)) return pdfOf(shelf, toPdf, file);
  throw notPreviewable(file.name);
}

/** A kept content is opened only when the answer begins, so that nothing stays open where it never does. */
function stored(store: Store, key: string, reply: Omit<FileReply, 'bytes'>): FileReply {
  const open = async (range?: { first: number; last: number }) => {
    const bytes = await store.get(key, range);
    if (!bytes) throw new Error(`the store has lost ${key}`);
    return bytes;
  };
  return { ...reply, bytes: open };
}

async function textOf(store: Store, file: FileRow, most: number): Promise<FileReply> {
  if (file.size > most)
    throw most === longestText ? tooLongToPreview(file.name) : notMarked(file.name, '内容过长，无法加水印');
  const bytes = await store.get(keyOf(file.sha256));
  if (!bytes) throw new Error(`the store has lost ${file.sha256}`);
  const content = await buffer(bytes);
  const encoding = encodingOf(content, true);
  if (!encoding) throw notPreviewable(file.name);
  const text = Buffer.from(new TextDecoder(encoding).decode(content));
  return { type: 'text/plain; charset=utf-8', bytes: text, size: text.length };
}

/** By the key it will lie under: two who look at once wait for one conversion. */
const converting = new Map<string, Promise<void>>();

async function pdfOf(shelf: Shelf, toPdf: ToPdf, file: FileRow): Promise<FileReply> {
  const key = derivedKey(file.sha256, 'pdf');
  const made = async () => {
    if ((await shelf.store.size(key)) === null) await convert(shelf, toPdf, file, key);
  };
  const running = converting.get(key) ?? made().finally(() => converting.delete(key));
  converting.set(key, running);
  await running;
  const size = await shelf.store.size(key);
  if (size === null) throw notConverted(file.name);
  return stored(shelf.store, key, { type: 'application/pdf', size, tag: `${file.sha256}-pdf` });
}

async function convert(shelf: Shelf, toPdf: ToPdf, file: FileRow, key: string): Promise<void> {
  const source = await shelf.store.get(keyOf(file.sha256));
  if (!source) throw new Error(`the store has lost ${file.sha256}`);
  await aside(shelf, source, { most: file.size, name: file.name }, ({ path }) =>
    toPdf(path, (pdf) => shelf.store.put(key, fileStream(pdf))).catch((error: unknown) => {
      shelf.log.warn({ err: error, file: file.id }, 'office file not converted');
      throw notConverted(file.name);
    }),
  );
}
