import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { writtenAs, type PictureType } from '#kernel/server/files/image.ts';
import { loadSharp } from '#kernel/server/files/load-sharp.ts';
import { createLine, type By } from '#kernel/server/jobs/turns.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';

// A page may show many thumbnails at once.
const line = createLine({ atOnce: 2, waiting: 400, waitingEach: 60 });

/**
 * The picture with the watermark all over it, diagonally, in its own format; opened when its turn has come. Letters need a font on the server. Throws
 * `lineFull` and `ownLineFull`.
 */
export function withWords(picture: () => Promise<Readable>, words: string, type: PictureType, by: By): Promise<Buffer> {
  return line(by, async () => {
    const source = await buffer(await picture());
    const sharp = await loadSharp();
    const { width, height } = await sharp(source).metadata();
    const marked = sharp(source).composite([{ input: Buffer.from(sheet(width, height, words)), top: 0, left: 0 }]);
    return writtenAs(marked, type).toBuffer();
  });
}

function sheet(width: number, height: number, words: string): string {
  const size = Math.max(10, Math.round(Math.min(width, height) / 28));
  const step = { x: size * (words.length + 6), y: size * 7 };
  const text = `font-family="Noto Sans CJK SC, Noto Sans SC, Microsoft YaHei, sans-serif" font-size="${size}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><pattern id="p" width="${step.x}"
 height="${step.y}" patternUnits="userSpaceOnUse" patternTransform="rotate(-24)"><text x="${size}" y="${size * 3}" ${text}
 fill="#fff" fill-opacity=".45" stroke="#000" stroke-opacity=".35" stroke-width="${size / 24}">${asMarkup(words)}</text></pattern></defs>
<rect width="100%" height="100%" fill="url(#p)"/></svg>`;
}
