import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { loadSharp } from '#kernel/server/files/load-sharp.ts';
import { imageKinds } from '#kernel/contract/upload.ts';
import { cleanFileName } from '#kernel/server/files/file-name.ts';
import { acceptImage } from '#kernel/server/files/image.ts';
import {
  takePicture,
  turnPicture,
  type PictureRule,
  type Shot,
  type TakenPicture,
} from '#kernel/server/files/photograph/picture.ts';
import { fileStream } from '#kernel/server/files/storage.ts';
import { createLine, type By } from '#kernel/server/jobs/turns.ts';
import { acceptFile, allowedName } from '#kernel/server/files/upload.ts';
import type { Content } from './content.ts';
import type { OwnerRule } from '../read/owners.ts';
import type { Spooled } from './spool.ts';

/** The stored properties of an uploaded file. */
export interface Accepted extends Content {
  name: string;
  ext: string;
  mime: string;
  /** A thumbnail of a picture. */
  thumb: Buffer | null;
  /** Sizes between it and the full one. */
  larger?: { large: Buffer; medium: Buffer };
  shot?: Shot;
}

const thumbSize = 320;
// A picture of the maximum size takes some 150 MB while it is drawn.
const drawing = createLine({ atOnce: 1, waiting: 100, waitingEach: 8 });

/** Checks an upload by the owner's rule; pictures are redrawn. Throws the refusals of `contract/upload.ts` and `contract/busy.ts`. */
export async function accepted(sent: Spooled, name: string, rule: OwnerRule, by: By): Promise<Accepted> {
  const { name: clean, ext } = allowedName(name, rule.kinds);
  const { picture } = rule;
  if (picture) return drawing(by, async () => photograph(await takePicture(sent.path, picture), clean, sent.sha256));
  if (imageKinds.some((kind) => kind === ext)) return drawing(by, () => drawnAnew(sent, clean, rule));
  const file = await acceptFile(sent.path, name, rule.kinds);
  return { ...file, sha256: sent.sha256, size: sent.size, thumb: null, open: () => fileStream(sent.path) };
}

async function drawnAnew(sent: Spooled, name: string, rule: OwnerRule): Promise<Accepted> {
  const { bytes, ext, mime } = await acceptImage(sent.path, { maxBytes: Infinity, size: rule.imageSize });
  const sharp = await loadSharp();
  const thumb = await sharp(bytes)
    .resize({ width: thumbSize, height: thumbSize, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer();
  return { ...kept(bytes, name, { ext, mime }), thumb };
}

/** Rotates a stored photograph clockwise by quarter turns; its facts stay. */
export function turned(bytes: Buffer, { quarters, name, shot, rule, by }: Turning): Promise<Accepted> {
  return drawing(by, async () => {
    const drawn = await turnPicture(bytes, quarters, rule);
    return photograph({ ...drawn, shot: { ...shot, ...drawn.shot } }, name, shot.source_sha256);
  });
}
interface Turning {
  quarters: number;
  name: string;
  shot: Shot;
  rule: PictureRule;
  by: By;
}

function photograph({ bytes, sizes, shot }: TakenPicture, name: string, source: string): Accepted {
  const { thumb, ...larger } = sizes;
  return {
    ...kept(bytes, name, { ext: 'jpg', mime: 'image/jpeg' }),
    thumb,
    larger,
    shot: { ...shot, source_sha256: source },
  };
}

const kept = (bytes: Buffer, name: string, { ext, mime }: { ext: string; mime: string }) => ({
  name: cleanFileName(`${name.replace(/\.[^.]*$/, '')}.${ext}`),
  ext,
  mime,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
  open: () => Readable.from([bytes]),
});
