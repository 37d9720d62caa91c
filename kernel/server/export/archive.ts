import { open, type FileHandle } from 'node:fs/promises';
import type * as Fflate from 'fflate';
import { whenNeeded } from '../process/when-needed.ts';
import { ArchiveTooBig } from './sheet-archive.ts';

const fflate = whenNeeded<typeof Fflate>('fflate');

export interface ArchiveBounds {
  entries: number;
  /** Total size of the unpacked parts in bytes. */
  unpacked: number;
}

const endLength = 22;
const longestNote = 65_535;
const longestDirectory = 4 * 2 ** 20;
const maxRatio = 300;
/** Small parts may be compressed strongly without harm. */
const ratioFrom = 2 ** 20;

/**
 * Lists the names and claimed sizes in a zip archive on disk; it reads only the directory and unpacks nothing. Throws `ArchiveTooBig` beyond the
 * bounds, and another error if the file is not a plain archive from its first byte to its last.
 */
export async function listArchiveFile(path: string, bounds: ArchiveBounds): Promise<Fflate.UnzipFileInfo[]> {
  const file = await open(path);
  try {
    return listed(await directoryOf(file), bounds);
  } finally {
    await file.close();
  }
}

/** Returns the directory and the end record, with the offset in the record adjusted to the directory's new place. */
async function directoryOf(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  if ((await part(file, 0, 4)).toString('latin1') !== 'PK\x03\x04') throw new Error('no archive at the beginning');
  const tailFrom = Math.max(0, size - endLength - longestNote);
  const tail = await part(file, tailFrom, size - tailFrom);
  const at = tail.lastIndexOf('PK\x05\x06', tail.length - endLength, 'latin1');
  if (at < 0) throw new Error('no end of an archive');
  const end = Buffer.from(tail.subarray(at));
  const [length, from] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  if (from + length !== tailFrom + at || end.readUInt16LE(20) !== end.length - endLength)
    throw new Error('something else stands in the archive');
  if (length > longestDirectory) throw new ArchiveTooBig();
  end.writeUInt32LE(0, 16);
  return Buffer.concat([await part(file, from, length), end]);
}

function listed(directory: Buffer, bounds: ArchiveBounds): Fflate.UnzipFileInfo[] {
  const entries: Fflate.UnzipFileInfo[] = [];
  let total = 0;
  fflate().unzipSync(directory, {
    filter(entry) {
      total += entry.originalSize;
      const squeezed = entry.originalSize > ratioFrom && entry.originalSize > entry.size * maxRatio;
      if (entries.push(entry) > bounds.entries || total > bounds.unpacked || squeezed) throw new ArchiveTooBig();
      return false;
    },
  });
  return entries;
}

async function part(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  if (bytesRead < length) throw new Error('the file is shorter than it says');
  return buffer;
}
