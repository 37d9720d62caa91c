import { houseNow } from '../../process/clock.ts';
import { stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { loadSharp } from '../load-sharp.ts';
import { rgbaToThumbHash } from 'thumbhash';
import { Refusal } from '#kernel/contract/refusal.ts';
import { fileEmpty, fileTooBig, imageDamaged, imageTooLarge, photoNotAllowed } from '#kernel/contract/upload.ts';
import { readHeic, withHeic } from './heic.ts';
import { factsIn } from './shot.ts';

/** The sizes in which pictures of a record are kept: the limit of the whole, and the smaller copies. */
export interface PictureRule {
  /** Size of the file as sent. */
  maxBytes: number;
  /** Width times height of formats that are read line by line; a third of it for all others. */
  maxPixels: number;
  /** Longest side of the kept picture. */
  keep: number;
  quality: number;
  sizes: { large: number; medium: number; thumb: number };
}

/** The facts that are kept of a picture besides its pixels. Nothing else in its file is kept: no location, owner or serial number. */
export interface Shot {
  /** ISO instant; null if the file has none, or an impossible one. */
  taken_at: string | null;
  camera: string;
  width: number;
  height: number;
  /** Hash of the bytes as they were sent. */
  source_sha256: string;
  /** 64 bits as a signed number: similar pictures differ in few of them. */
  phash: string;
  /** A preview of its colours in about 25 bytes, base64. */
  placeholder: string;
}

export interface TakenPicture {
  bytes: Buffer;
  /** Smaller copies: JPEG, the thumb WebP. */
  sizes: { large: Buffer; medium: Buffer; thumb: Buffer };
  shot: Omit<Shot, 'source_sha256'>;
}

const readable = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/heif']);
const seconds = 30;

/**
 * Takes a photograph and redraws it in every size, upright and in sRGB: only the pixels of the file are kept, and the few facts of `Shot`. The
 * content decides the format, never the name. Throws the refusals of pictures in `contract/upload.ts`.
 */
export async function takePicture(path: string, rule: PictureRule, now = houseNow()): Promise<TakenPicture> {
  const { size } = await stat(path);
  if (size === 0) throw fileEmpty();
  if (size > rule.maxBytes) throw fileTooBig(rule.maxBytes);
  const { fileTypeFromFile } = await import('file-type');
  const kind = await fileTypeFromFile(path).catch(() => undefined);
  if (!kind || !readable.has(kind.mime)) throw photoNotAllowed();
  try {
    const sharp = await loadSharp();
    const head = await sharp(path, { limitInputPixels: rule.maxPixels }).metadata();
    // A picture that is not read line by line is in memory as a whole.
    const byLine = (kind.mime === 'image/jpeg' || kind.mime === 'image/png') && !head.isProgressive;
    const most = byLine ? rule.maxPixels : Math.floor(rule.maxPixels / 3);
    if (head.width * head.height > most) throw imageTooLarge(most);
    const heic = kind.mime.startsWith('image/hei') ? await readHeic(path) : undefined;
    const { orientation, ...facts } = factsIn(heic?.exif ?? head.exif, now);
    const drawn = heic
      ? await withHeic(path, heic.turned ? 1 : orientation, (tiff) => draw(tiff, rule))
      : await draw(path, rule);
    return { ...drawn, shot: { ...drawn.shot, ...facts } };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw /pixel limit/.test(String(error)) ? imageTooLarge(rule.maxPixels) : imageDamaged();
  }
}

/** Turns a kept picture clockwise by quarters, in every size. */
export const turnPicture = (bytes: Buffer, quarters: number, rule: PictureRule) => draw(bytes, rule, quarters * 90);

/** Draws a picture in every size, turned by its own tag or by an angle. */
async function draw(source: string | Buffer, rule: PictureRule, angle = 0) {
  const sharp = await loadSharp();
  const { keep, quality, sizes } = rule;
  const fitted = (size: number, from: Sharp) =>
    from.resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true });
  const open = () => {
    const from = sharp(source, { limitInputPixels: rule.maxPixels, failOn: 'error', pages: 1 }).timeout({ seconds });
    return (angle === 0 ? from.autoOrient() : from.rotate(angle)).flatten({ background: '#fff' }).toColourspace('srgb');
  };
  const whole = fitted(keep, open()).jpeg({ quality }).toBuffer({ resolveWithObject: true });
  // The smaller copies are made from one that was shrunk while it was read.
  const smaller = fitted(sizes.large, open()).raw().toBuffer({ resolveWithObject: true });
  // If one fails, the other is still reading the file.
  await Promise.allSettled([whole, smaller]);
  const [{ data, info }, shrunk] = [await whole, await smaller];
  const { width, height, channels } = shrunk.info;
  const small = () => sharp(shrunk.data, { raw: { width, height, channels } });
  const [large, medium, thumb, phash, placeholder] = await Promise.all([
    small().jpeg({ quality: 82 }).toBuffer(),
    fitted(sizes.medium, small()).jpeg({ quality: 80 }).toBuffer(),
    fitted(sizes.thumb, small()).webp({ quality: 75, effort: 2 }).toBuffer(),
    likenessOf(small()),
    placeholderOf(fitted(100, small())),
  ]);
  return {
    bytes: data,
    sizes: { large, medium, thumb },
    shot: { width: info.width, height: info.height, phash, placeholder },
  };
}

async function placeholderOf(small: Sharp): Promise<string> {
  const { data, info } = await small.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

const side = 32;
const lowest = 8;
const cosines = Array.from({ length: lowest }, (_row, k) =>
  Array.from({ length: side }, (_column, n) => Math.cos(((2 * n + 1) / (2 * side)) * (k + 1) * Math.PI)),
);

/** The signs of the lowest frequencies, which stay the same when a picture is scaled down and encoded again. */
async function likenessOf(small: Sharp): Promise<string> {
  const grey = await small.greyscale().resize(side, side, { fit: 'fill' }).raw().toBuffer();
  const rows = Array.from({ length: side }, (_row, y) =>
    cosines.map((wave) => wave.reduce((sum, value, x) => sum + value * grey[y * side + x]!, 0)),
  );
  const found = cosines.flatMap((wave) =>
    cosines.map((_other, u) => wave.reduce((sum, value, y) => sum + value * rows[y]![u]!, 0)),
  );
  const middle = found.toSorted((a, b) => a - b)[found.length / 2]!;
  const bits = found.map((value) => (value > middle ? '1' : '0')).join('');
  return BigInt.asIntN(64, BigInt(`0b${bits}`)).toString();
}
