import readExif from 'exif-reader';
import { houseMinutes } from '#kernel/contract/moment.ts';

/** No camera wrote such a tag before this date. */
const earliest = Date.UTC(1990, 0, 1);
const dayMs = 24 * 3600_000;

/**
 * Reads from an EXIF block the time, the camera and the orientation of a picture; everything else in it is ignored. If the block cannot be read, only
 * these facts are missing, never the picture.
 */
export function factsIn(block: Buffer | undefined, now: Date) {
  const nothing = { taken_at: null, camera: '', orientation: 1 };
  try {
    // Some programs leave the length that HEIC puts before the block.
    const from = block?.indexOf('Exif\0\0', 0, 'latin1') ?? -1;
    if (!block || from < 0 || from > 8) return nothing;
    const { Image: image, Photo: photo } = readExif(block.subarray(from));
    const words = [image?.Make, image?.Model].filter((word) => typeof word === 'string');
    const turned = Number(image?.Orientation ?? 1);
    return {
      taken_at: momentOf(photo?.DateTimeOriginal, photo?.OffsetTimeOriginal, now),
      camera: words
        .join(' ')
        .replace(/[\p{C}\s]+/gu, ' ')
        .trim()
        .slice(0, 60),
      orientation: turned >= 1 && turned <= 8 ? turned : 1,
    };
  } catch {
    return nothing;
  }
}

/** The reader takes the clock's words for UTC; without an offset they are the house's. */
function momentOf(words: unknown, offset: unknown, now: Date): string | null {
  if (!(words instanceof Date) || Number.isNaN(words.getTime())) return null;
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(String(offset ?? '')) ?? [];
  const ahead = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : houseMinutes * 60_000;
  const at = words.getTime() - ahead;
  return at < earliest || at > now.getTime() + dayMs ? null : new Date(at).toISOString();
}
