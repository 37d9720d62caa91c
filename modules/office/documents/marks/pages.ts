import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { Db } from '#kernel/server/db/db.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import { drawnOver, previewOf, type Drawing, type FileStore } from '#modules/platform/files/service.ts';
import type { By } from '#kernel/server/jobs/turns.ts';
import { readBytes } from '../bodies/read.ts';
import type { BodyReading } from '../bodies/taking.ts';
import { inks, notMarkable, penWidth, type MarkedPaper, type Stroke } from '../contract/files/marks.ts';
import { lookOf } from '../typeset/shown.ts';
import type { Stored } from '../visibility/visibility.ts';

/** The present pages of a document, for drawing. Throws `nothingToPrint`, and `notMarkable` if it has no pages. */
export async function pagesNow(services: BodyReading, tx: Db, doc: Stored): Promise<Buffer> {
  const look = await lookOf(services, tx, doc);
  if (Buffer.isBuffer(look)) return look;
  const { type, bytes } = await previewOf(services.fileStore, services.toPdf, look, services.by);
  if (type !== 'application/pdf') throw notMarkable(look.name);
  return all(bytes);
}
async function all(bytes: FileReply['bytes']): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes;
  return buffer(typeof bytes === 'function' ? await bytes() : (bytes as Readable));
}

/** The number of pages. Throws `notMarkable` for unreadable files. */
export async function countPages(bytes: Buffer, { by, title }: { by: By; title: string }): Promise<number> {
  const read = await readBytes(by, { ext: 'pdf', bytes });
  if (read.kind !== 'pages') throw notMarkable(title);
  return read.pages;
}

/** The pages with all marks, and at the foot of each page the names of those who drew. */
export async function withMarks(
  fileStore: FileStore,
  bytes: Buffer,
  { doc, strokes, layers, by }: { doc: Stored; strokes: readonly Stroke[]; layers: MarkedPaper['layers']; by: By },
): Promise<Buffer> {
  if (strokes.length === 0) return bytes;
  const marked = [...new Set(strokes.map((stroke) => stroke.page))];
  const whose = (page: number) =>
    layers
      .filter((layer) => layer.pages.includes(page))
      .map((layer) => `${layer.user_info.alias} ${layer.last_at.slice(0, 16)}`)
      .join('，');
  const drawing: Drawing = {
    strokes: strokes.map(({ page, ink, points }) => ({ page, colour: inks[ink].colour, points, width: penWidth })),
    notes: marked.map((page) => ({ page, words: `手写批注：${whose(page)}` })),
  };
  const named = { id: doc.id, name: doc.title, ext: 'pdf' };
  const reply = { type: 'application/pdf', bytes, size: bytes.length };
  return all((await drawnOver(fileStore, named, reply, drawing, by)).bytes);
}
