import { unzipSync } from 'fflate';
import { ArchiveTooBig, listArchive } from '#kernel/server/export/sheet-archive.ts';

const wanted = /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/(?:_rels\/)?[^/]+\.(?:xml|rels)|word\/media\/[^/]+)$/;
const longestText = 24 * 2 ** 20;

/** The parts of a Word file needed for its text, by path. Throws `ArchiveTooBig`; any other error means damage. */
export function unpackWord(bytes: Uint8Array): Record<string, Uint8Array> {
  const entries = listArchive(bytes);
  if (new Set(entries.map((entry) => entry.name)).size < entries.length)
    throw new Error('an entry stands twice in the archive');
  if (entries.some((entry) => entry.name.endsWith('.xml') && entry.originalSize > longestText))
    throw new ArchiveTooBig();
  return unzipSync(bytes, { filter: (entry) => wanted.test(entry.name) });
}
