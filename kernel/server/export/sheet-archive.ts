import type * as Fflate from 'fflate';
import { whenNeeded } from '../process/when-needed.ts';

const fflate = whenNeeded<typeof Fflate>('fflate');
const maxEntries = 1000;
/** Limit of the total unpacked size of an archive unless a smaller one is given. */
export const mostUnpacked = 64 * 2 ** 20;
const maxRatio = 300;
/** Small parts may be compressed strongly without harm. */
const ratioFrom = 2 ** 20;

const wanted = /^xl\/(?:_rels\/workbook\.xml\.rels|(?!worksheets\/_rels\/)(?:worksheets\/)?[^/]+\.xml)$/;

/** Thrown for an archive that would grow beyond bounds when unpacked. */
export class ArchiveTooBig extends Error {}

/** Names and claimed sizes in the archive's directory, checked against the bounds; nothing is unpacked. */
export function listArchive(bytes: Uint8Array, maxUnpacked = mostUnpacked): Fflate.UnzipFileInfo[] {
  const entries: Fflate.UnzipFileInfo[] = [];
  let total = 0;
  fflate().unzipSync(bytes, {
    filter(entry) {
      total += entry.originalSize;
      const squeezed = entry.originalSize > ratioFrom && entry.originalSize > entry.size * maxRatio;
      if (entries.push(entry) > maxEntries || total > maxUnpacked || squeezed) throw new ArchiveTooBig();
      return false;
    },
  });
  return entries;
}

/** Returns the parts of a workbook that its cells are read from, by path. Throws `ArchiveTooBig`; any other error means that the file is damaged. */
export function unpackWorkbook(bytes: Uint8Array, maxUnpacked: number): Record<string, Uint8Array> {
  const names = listArchive(bytes, maxUnpacked).map((entry) => entry.name);
  if (new Set(names).size < names.length) throw new Error('an entry stands twice in the archive');
  return fflate().unzipSync(bytes, { filter: (entry) => wanted.test(entry.name) });
}

/**
 * Packs parts again without compression. `unpackWorkbook` never returns more than the directory claimed, so the reader of this archive needs no
 * bounds of its own.
 */
export function packLoose(parts: Record<string, Uint8Array>): ArrayBuffer {
  return fflate().zipSync(parts, { level: 0 }).buffer as ArrayBuffer;
}
