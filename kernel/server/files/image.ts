import { stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { loadSharp } from './load-sharp.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import { fileEmpty, fileTooBig, imageDamaged, imageNotAllowed, imageTooLarge } from '#kernel/contract/upload.ts';

export interface ImageLimits {
  /** Size of the file as sent; 5 MB unless given. */
  maxBytes?: number;
  /** Width times height before anything is decoded; 40 million unless given. */
  maxPixels?: number;
  /** The result fits into a square with sides of so many pixels; a smaller picture is not enlarged. */
  size: number;
}

export interface AcceptedImage {
  bytes: Buffer;
  ext: 'png' | 'jpg' | 'webp';
  mime: PictureType;
  width: number;
  height: number;
}

/** Formats in which pictures are kept. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';
const endings = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;
/** The format in which a picture is kept, so that people later have a program to open it; of an animation only the first frame is kept. */
const keptAs: Readonly<Record<string, PictureType>> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/gif': 'image/png',
};
/** Writes a picture in one of these formats. */
export function writtenAs(picture: Sharp, type: PictureType): Sharp {
  if (type === 'image/png') return picture.png({ compressionLevel: 9 });
  return type === 'image/jpeg' ? picture.jpeg({ quality: 88 }) : picture.webp({ quality: 85 });
}
const timeLimitSeconds = 15;

/**
 * Takes an uploaded picture (its bytes or its path) and redraws it: only its pixels are kept (no EXIF, no location, no second format appended),
 * turned upright, and only the first frame of an animation. The content decides the format, never the name. Throws the refusals of pictures in
 * `contract/upload.ts`.
 */
export async function acceptImage(sent: Buffer | string, limits: ImageLimits): Promise<AcceptedImage> {
  const { maxBytes = 5 * 2 ** 20, maxPixels = 40_000_000, size } = limits;
  const length = typeof sent === 'string' ? (await stat(sent)).size : sent.length;
  if (length === 0) throw fileEmpty();
  if (length > maxBytes) throw fileTooBig(maxBytes);
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type');
  const looked = typeof sent === 'string' ? fileTypeFromFile(sent) : fileTypeFromBuffer(sent);
  const kind = await looked.catch(() => undefined);
  const mime = kind && keptAs[kind.mime];
  if (!mime) throw imageNotAllowed();
  try {
    const sharp = await loadSharp();
    const source = sharp(sent, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
    const head = await source.metadata();
    if (head.width * head.height > maxPixels) throw imageTooLarge(maxPixels);
    const drawn = source
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: timeLimitSeconds });
    const { data, info } = await writtenAs(drawn, mime).toBuffer({ resolveWithObject: true });
    return { bytes: data, ext: endings[mime], mime, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw /pixel limit/.test(String(error)) ? imageTooLarge(maxPixels) : imageDamaged();
  }
}
