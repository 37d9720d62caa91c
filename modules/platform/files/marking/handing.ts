import dayjs from 'dayjs';
import type { Db } from '#kernel/server/db/db.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { Services } from '#kernel/server/services.ts';
import type { FileStore } from '../store/store.ts';
import type { OwnerRule } from '../read/owners.ts';
import { markableOf, type FileRow } from '../read/preview.ts';
import { watermarked, type Watermark } from './marked.ts';

/** The watermark that a file of such a record must carry: reader and time; null if none is required. */
export async function wordsFor(
  tx: Db,
  { id, owner_id: ownerId }: Pick<FileRow, 'id' | 'owner_id'>,
  reader: number,
  { rule, settings, since }: { rule: OwnerRule | undefined; settings: Pick<Services['settings'], 'get'>; since: Date },
): Promise<string | null> {
  if (!rule?.watermarked) return null;
  const always = (await rule.alwaysMarked?.(ownerId ?? '', tx, id)) ?? false;
  if (always === false && !(await settings.get('site')).watermark) return null;
  const person = (await peopleById(tx, [reader])).get(reader);
  const says = typeof always === 'string' ? `${always} ` : '';
  return `${says}${person?.alias ?? ''} ${person?.username ?? ''} ${dayjs(since).format('YYYY-MM-DD HH:mm')}`;
}

/** A copy of a file with the watermark. Throws `notMarked` if it cannot be applied, and `lineFull` and `ownLineFull`. */
export async function watermarkedCopy(
  { fileStore, toPdf }: { fileStore: FileStore; toPdf: ToPdf | null },
  file: FileRow,
  mark: Watermark,
): Promise<FileReply> {
  return watermarked(fileStore, file, await markableOf(fileStore, toPdf, file, mark.by), mark);
}
