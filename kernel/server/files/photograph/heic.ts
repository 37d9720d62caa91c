import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { photoNotReadable } from '#kernel/contract/upload.ts';
import { runConfined } from '../confined.ts';

const program = fileURLToPath(new URL('heic-program.ts', import.meta.url));
// A picture of 40 megapixels takes about 400 MB while it is decoded.
const bounds = { seconds: 30, megabytes: 1024, counts: 'written', fileMegabytes: 300 } as const;

/** Reads whether a HEIC file has transforms of its own, and its raw EXIF block. */
export async function readHeic(path: string): Promise<{ turned: boolean; exif: Buffer | undefined }> {
  const bytes = await readFile(path);
  return { turned: hasTransforms(bytes), exif: exifIn(bytes) };
}

const named = 'Exif\0\0';
/** The beginning of an EXIF block, for both byte orders; writers that put the first directory right after the header leave out the name before it. */
const headers = ['II*\0', 'MM\0*'];
const bare = ['II*\0\b\0\0\0', 'MM\0*\0\0\0\b'];

/** The EXIF block of a HEIC file, with its name before it: the block itself, not the name of the item in the boxes. */
function exifIn(bytes: Buffer): Buffer | undefined {
  const last = (of: readonly string[]) => Math.max(...of.map((one) => bytes.indexOf(one, 0, 'latin1')));
  const at = last(headers.map((header) => named + header));
  if (at >= 0) return bytes.subarray(at, at + 2 ** 16);
  const tiff = last(bare);
  return tiff < 0 ? undefined : Buffer.concat([Buffer.from(named, 'latin1'), bytes.subarray(tiff, tiff + 2 ** 16)]);
}

/**
 * Provides a HEIC picture as a TIFF while `work` runs, decoded in a confined process and turned by the file's own transforms; `orientation` is
 * written into it. Throws `photoNotReadable`.
 */
export async function withHeic<T>(path: string, orientation: number, work: (tiff: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gongdan-heic-'));
  try {
    const target = join(folder, 'picture.tiff');
    const asked = [process.execPath, '--max-old-space-size=256', program, path, target, String(orientation)] as const;
    await runConfined(asked, { ...bounds, folder }).catch(() => {
      throw photoNotReadable();
    });
    return await work(target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Boxes on the way to the properties of a picture; `meta` has four bytes before its child boxes. */
const inside: Readonly<Record<string, number>> = { meta: 12, iprp: 8, ipco: 8 };

function hasTransforms(bytes: Buffer): boolean {
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'irot' || type === 'imir') return true;
    if (length < 8) return false;
    const skip = inside[type];
    if (skip !== undefined && hasTransforms(bytes.subarray(at + skip, at + length))) return true;
    at += length;
  }
  return false;
}
