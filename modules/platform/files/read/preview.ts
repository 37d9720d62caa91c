import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import { officeKinds } from '#kernel/contract/upload.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import type { By } from '#kernel/server/jobs/turns.ts';
import { fileStream } from '#kernel/server/files/storage.ts';
import { encodingOf, encodingOfAll, inUtf8 } from '#kernel/server/export/text-encoding.ts';
import { derivedKey, keyOf } from '../store/content.ts';
import { notConverted, notMarked, notPreviewable, storeAway, tooLongToPreview } from '../contract.ts';
import { answered, openKey, type Opens } from '../store/opening.ts';
import { aside, type FileStore } from '../store/store.ts';
import type { fileTable } from '../tables.ts';

export type FileRow = typeof fileTable.$inferSelect;

const textType = 'text/plain; charset=utf-8';
/** The longest text that is shown, or opened by an editor with the reader's watermark. */
export const longestText = 2 * 2 ** 20;
const longestMarked = 50 * 2 ** 20;
/** Types a browser may show inline; all others are only downloaded. */
const shown = new Set(['image/webp', 'image/png', 'image/jpeg', 'application/pdf']);
const readableAsText = new Set(['txt', 'csv']);
const isOffice = (file: Pick<FileRow, 'ext'>) => officeKinds.some((kind) => kind === file.ext);

/** Sizes of a photograph other than the full one. */
export type PictureSize = 'thumb' | 'medium' | 'large';

/** The stored bytes of a file, in ranges if requested. Opening them throws `storeAway` if the store cannot be reached, and `contentLost` if it has lost them. */
export function wholeFile(fileStore: Opens, file: FileRow): FileReply {
  return stored(fileStore, file, keyOf(file.sha256), { type: file.mime, size: file.size, tag: file.sha256 });
}

/** A smaller version of a picture; a browser may cache it as long as its address is the same. */
export async function smallerOf(fileStore: Opens, file: FileRow, which: PictureSize): Promise<FileReply> {
  const key = derivedKey(file.sha256, which);
  const size = await answered(fileStore, file, fileStore.store.size(key));
  if (size === null) throw absent('缩略图');
  const type = which === 'thumb' ? 'image/webp' : 'image/jpeg';
  return stored(fileStore, file, key, { type, size, cache: 'private, max-age=300' });
}

/** The form of a file that can carry a watermark: the full text, a PDF made of an office file, or the file itself. */
export async function markableOf(fileStore: FileStore, toPdf: ToPdf | null, file: FileRow, by: By): Promise<FileReply> {
  const kind = markedKind(file, toPdf);
  if (readableAsText.has(kind)) return wholeText(fileStore, file);
  return toPdf && isOffice(file) ? pdfOf(fileStore, toPdf, file, by) : wholeFile(fileStore, file);
}

/** The kind of file that a watermarked copy has. Throws `notMarked` if it cannot have a watermark. */
export function markedKind({ name, ext, mime }: FileRow, toPdf: ToPdf | null): string {
  if (readableAsText.has(ext)) return ext;
  if (mime.startsWith('image/')) return ext;
  if (mime === 'application/pdf') return 'pdf';
  if (!isOffice({ ext })) throw notMarked(name, `${ext} 文件不能加水印`);
  if (!toPdf) throw notMarked(name, '服务器上没有 LibreOffice，无法加水印');
  return 'pdf';
}

/** The form of a file that a browser can show: itself, its text, or a PDF made of it once. */
export async function previewOf(fileStore: FileStore, toPdf: ToPdf | null, file: FileRow, by: By): Promise<FileReply> {
  if (shown.has(file.mime)) return wholeFile(fileStore, file);
  if (readableAsText.has(file.ext)) return textOf(fileStore, file);
  if (toPdf && isOffice(file)) return pdfOf(fileStore, toPdf, file, by);
  throw notPreviewable(file.name);
}

/** A content is opened only when the reply begins, so that nothing stays open if it never does. */
const stored = (fileStore: Opens, file: FileRow, key: string, reply: Omit<FileReply, 'bytes'>): FileReply => ({
  ...reply,
  bytes: (range) => openKey(fileStore, file, key, range),
});

async function textOf(fileStore: Opens, file: FileRow): Promise<FileReply> {
  if (file.size > longestText) throw tooLongToPreview(file.name);
  const bytes = await openKey(fileStore, file, keyOf(file.sha256));
  const content = await answered(fileStore, file, buffer(bytes));
  const encoding = encodingOf(content, true);
  if (!encoding) throw notPreviewable(file.name);
  const text = Buffer.from(new TextDecoder(encoding).decode(content));
  return { type: textType, bytes: text, size: text.length };
}

/** A text of any length, read while it is sent. */
async function wholeText(fileStore: Opens, file: FileRow): Promise<FileReply> {
  if (file.size > longestMarked) throw notMarked(file.name, '内容过长，无法加水印');
  const open = () => openKey(fileStore, file, keyOf(file.sha256));
  const encoding = await answered(fileStore, file, encodingOfAll(open));
  if (!encoding) throw notPreviewable(file.name);
  return { type: textType, bytes: async () => Readable.from(inUtf8(open, encoding)) };
}

/** By its future key: two concurrent readers wait for one conversion. */
const converting = new Map<string, Promise<void>>();

async function pdfOf(fileStore: FileStore, toPdf: ToPdf, file: FileRow, by: By): Promise<FileReply> {
  const key = derivedKey(file.sha256, 'pdf');
  const made = async () => {
    if ((await answered(fileStore, file, fileStore.store.size(key))) === null)
      await convert(fileStore, toPdf, file, { key, by });
  };
  const running = converting.get(key) ?? made().finally(() => converting.delete(key));
  converting.set(key, running);
  await running;
  const size = await answered(fileStore, file, fileStore.store.size(key));
  if (size === null) throw notConverted(file.name);
  return stored(fileStore, file, key, { type: 'application/pdf', size, tag: `${file.sha256}-pdf` });
}

async function convert(
  fileStore: FileStore,
  toPdf: ToPdf,
  file: FileRow,
  { key, by }: { key: string; by: By },
): Promise<void> {
  const source = await openKey(fileStore, file, keyOf(file.sha256));
  await aside(fileStore, source, { most: file.size, name: file.name }, async ({ path, broken }) => {
    if (broken) throw storeAway(file.name);
    const keepPdf = (pdf: string) => answered(fileStore, file, fileStore.store.put(key, fileStream(pdf)));
    await toPdf(path, keepPdf, by).catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      fileStore.log.warn({ err: error, file: file.id }, 'office file not converted');
      throw notConverted(file.name);
    });
  });
}
