import { buffer } from 'node:stream/consumers';
import { loadSharp } from '#kernel/server/files/load-sharp.ts';
import { isForGood, type Refusal } from '#kernel/contract/refusal.ts';
import { charactersIn } from '#kernel/contract/words/cut.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import type { By } from '#kernel/server/jobs/turns.ts';
import { bytesOf, previewOf, type FileRow, type FileStore } from '#modules/platform/files/service.ts';
import { bodyKinds } from '../contract/files/body.ts';
import type { SetPicture } from '#modules/platform/typesetting/service.ts';
import { longestBody } from '../contract/shapes.ts';
import { mostPages } from './pdf-text.ts';
import { readBytes, type BodyAnswer } from './read.ts';
import { emptyBody, lockedBody, noOffice, notRead, otherKindOfBody, tooBigBody, tooLongBody } from './refused.ts';

export interface BodyServices {
  fileStore: FileStore;
  toPdf: ToPdf | null;
}
/** The same, with the person or job that waits for the result. */
export type BodyReading = BodyServices & { by: By };

/** A body from a file, as it is set: as our own text, as pages, or named on a page. */
export type Taken = { words: string; losses: string[] } & (
  | { kind: 'text'; html: string; pictures: (SetPicture | null)[] }
  | { kind: 'pages'; pdf: Buffer; pages: number }
  | { kind: 'apart'; pages: number }
);

const longestSide = 1600;
const mostDots = 40_000_000;
const scanned = '文件里没有文字（可能是扫描件）：不能检索，也不能比对修改';

/** A redrawn picture on white ground; null if it cannot be drawn. */
async function drawn(picture: Uint8Array): Promise<SetPicture | null> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(picture, { limitInputPixels: mostDots, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .timeout({ seconds: 15 })
    .toBuffer({ resolveWithObject: true })
    .catch(() => ({ data: null, info: null }));
  return data && { bytes: new Uint8Array(data), width: info.width, height: info.height };
}

async function asText({ html, words, pictures, losses }: BodyAnswer & { kind: 'text' }): Promise<Taken> {
  const set: (SetPicture | null)[] = [];
  // One after the other, because drawing a large picture takes much memory.
  for (const picture of pictures) set.push(await drawn(picture));
  const undrawn = set.filter((one) => one === null).length;
  const lost = undrawn > 0 ? [...losses, `图片 ${undrawn} 张（格式不支持）：没有保留`] : losses;
  return { kind: 'text', html, words, pictures: set, losses: lost };
}

/** Takes a file as the body of a document. Throws the reason why it cannot be one, for the given field. */
export async function takeBody(services: BodyReading, file: FileRow, field?: string): Promise<Taken> {
  const { fileStore, toPdf } = services;
  const { name, ext } = file;
  if (!bodyKinds.some((kind) => kind === ext)) throw otherKindOfBody(name, field);
  if ((ext === 'doc' || ext === 'wps') && !toPdf) throw noOffice(name, field);
  if (ext === 'docx') {
    const answer = await readBytes(services.by, { ext, bytes: await bytesOf(fileStore, file) });
    if (answer.kind === 'text' && answer.html !== '') {
      if (charactersIn(answer.words) > longestBody) throw tooLongBody(name, field);
      return asText(answer);
    }
    if (!toPdf) throw answer.kind === 'text' ? emptyBody(name, field) : refusalOf(answer.kind, name, field);
  }
  if (ext === 'ofd') {
    const answer = await readBytes(services.by, { ext, bytes: await bytesOf(fileStore, file) });
    if (answer.kind !== 'pages') throw refusalOf(answer.kind, name, field);
    return { kind: 'apart', words: answer.words, pages: answer.pages, losses: answer.words ? [] : [scanned] };
  }
  const pdf = await pdfOf(services, file, field);
  const answer = await readBytes(services.by, { ext: 'pdf', bytes: pdf });
  if (answer.kind !== 'pages') throw refusalOf(answer.kind, name, field);
  if (answer.pages > mostPages) throw tooBigBody(name, field);
  return { kind: 'pages', pdf, words: answer.words, pages: answer.pages, losses: answer.words ? [] : [scanned] };
}

function refusalOf(kind: BodyAnswer['kind'], name: string, field?: string): Refusal {
  if (kind === 'locked') return lockedBody(name, field);
  return kind === 'tooBig' ? tooBigBody(name, field) : notRead(name, field);
}

/** The pages of a file: its own, or those the office program converts it to. */
async function pdfOf({ fileStore, toPdf, by }: BodyReading, file: FileRow, field?: string): Promise<Buffer> {
  if (file.ext === 'pdf') return bytesOf(fileStore, file);
  const { bytes } = await previewOf(fileStore, toPdf, file, by).catch((error: unknown) => {
    throw isForGood(error) ? notRead(file.name, field) : error;
  });
  if (typeof bytes !== 'function') throw notRead(file.name, field);
  return buffer(await bytes());
}
