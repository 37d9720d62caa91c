import { stat } from 'node:fs/promises';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';
import sharp from 'sharp';
import { Refusal } from '#kernel/contract/refusal.ts';
import { fileEmpty, fileTooBig, imageDamaged, imageNotAllowed, imageTooLarge } from '#kernel/contract/upload.ts';

export interface ImageLimits {
  /** Of the file as sent; 5 MB unless told. */
  maxBytes?: number;
  /** Width times height before anything is decoded; 40 million unless told. */
  maxPixels?: number;
  /** The result fits into a square of so many pixels; a smaller picture is not enlarged. */
  size: number;
  /** `webp` unless told; `png` where the picture goes into a print or a PDF. */
  format?: 'webp' | 'png';
}

export interface AcceptedImage {
  bytes: Buffer;
  ext: 'webp' | 'png';
  mime: 'image/webp' | 'image/png';
  width: number;
  height: number;
}

const decodable = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
const timeLimitSeconds = 15;

/**
 * Takes a picture somebody sent (its bytes, or the path they lie at) and draws it anew: nothing of the file but its pixels is kept (no EXIF, no place, no
 * second format behind it), turned upright, the first frame of a moving one. The kind is decided by the content, never
 * by the name. Throws what `contract/upload.ts` refuses of pictures.
 */
export async function acceptImage(sent: Buffer | string, limits: ImageLimits): Promise<AcceptedImage> {
  const { maxBytes = 5 * 2 ** 20, maxPixels = 40_000_000, size, format = 'webp' } = limits;
  const length = typeof sent === 'string' ? (await stat(sent)).size : sent.length;
  if (length === 0) throw fileEmpty();
  if (length > maxBytes) throw fileTooBig(maxBytes);
  const looked = typeof sent === 'string' ? fileTypeFromFile(sent) : fileTypeFromBuffer(sent);
  const kind = await looked.catch(() => undefined);
  if (!kind || !decodable.has(kind.mime)) throw imageNotAllowed();
  try {
    const source = sharp(sent, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
    const head = await source.metadata();
    if (head.width * head.height > maxPixels) throw imageTooLarge(maxPixels);
    const drawn = source
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: timeLimitSeconds });
    const coded = format === 'webp' ? drawn.webp({ quality: 85 }) : drawn.png({ compressionLevel: 9 });
    const { data, info } = await coded.toBuffer({ resolveWithObject: true });
    return { bytes: data, ext: format, mime: `image/${format}`, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw /pixel limit/.test(String(error)) ? imageTooLarge(maxPixels) : imageDamaged();
  }
}
