import { stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { loadSharp } from './load-sharp.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import { fileEmpty, fileTooBig, imageDamaged, imageNotAllowed, imageTooLarge } from '#kernel/contract/upload.ts';

export interface ImageLimits {
  /** Of the file as sent; 5 MB unless told. */
  maxBytes?: number;
  /** Width times height before anything is decoded; 40 million unless told. */
  maxPixels?: number;
  /** The result fits into a square of so many pixels; a smaller picture is not enlarged. */
  size: number;
}

export interface AcceptedImage {
  bytes: Buffer;
  ext: 'png' | 'jpg' | 'webp';
  mime: PictureType;
  width: number;
  height: number;
}

/** Types a picture is kept as. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';
const endings = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;
/** What a picture stays, so that whoever opens it later has a program for it; of a moving one only its first frame is left. */
const keptAs: Readonly<Record<string, PictureType>> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/gif': 'image/png',
};
/** A picture written as one of them. */
export function writtenAs(picture: Sharp, type: PictureType): Sharp {
  if (type === 'image/png') return picture.png({ compressionLevel: 9 });
  return type === 'image/jpeg' ? picture.jpeg({ quality: 88 }) : picture.webp({ quality: 85 });
}
const timeLimitSeconds = 15;

/**
 * Takes a picture somebody sent (its bytes, or the path they lie at) and draws it anew: nothing of the file but its pixels is kept (no EXIF, no place, no
 * second format behind it), turned upright, the first frame of a moving one. The kind is decided by the content, never
 * by the name. Throws what `contract/upload.ts` refuses of pictures.
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
