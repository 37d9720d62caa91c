import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { notAttachable, type FileCard } from './contract.ts';
import type { Owners } from './read/owners.ts';
import { fileTable } from './tables.ts';

export { createSigner, type Signer } from './read/address.ts';
export { sweepContents } from './store/content.ts';
export { purgeLoose, purgePortions } from './store/loose.ts';
export { clearSpool } from './store/spool.ts';
export { turned, type Accepted } from './store/acceptance.ts';
export { admitted, aside, enter, keepPicture, type FileStore } from './store/store.ts';
export {
  bytesOf,
  fileById,
  filesById,
  giveMade,
  heldBy,
  keepMade,
  keepMadeStream,
  streamOf,
  type Made,
} from './store/made.ts';
export { packed, plainName, type Member } from './store/packed.ts';
export { watermarkedCopy, wordsFor } from './marking/handing.ts';
export { drawnOver, stampedOver, watermarked, nameOfWatermarked, type Watermark } from './marking/marked.ts';
export type { Drawing } from './marking/pdf.ts';
export { longestText, markableOf, markedKind, previewOf, wholeFile, type FileRow } from './read/preview.ts';
export { quotaOf, takeQuota } from './quota.ts';
export { filesOfContents, isWhole, verifyFiles } from './store/verify.ts';
export type { OwnerRule, Owners } from './read/owners.ts';

interface Held {
  module: string;
  recordId: number | string;
}
interface Giving extends Held {
  user: { id: number };
  /** Seen by strangers from now on: the site's logo. */
  open?: boolean;
}
export type Attachment = Giving & { fileId: number };

/**
 * Gives files to a record: uploads of the one who saves that no record has yet and that were sent for this module, and files the
 * record has already. Answers the ids of all others, which stay as they are.
 */
export async function give(
  tx: Db,
  { fileIds, module, recordId, user, open = false }: Giving & { fileIds: readonly number[] },
): Promise<number[]> {
  if (fileIds.length === 0) return [];
  const loose = and(isNull(fileTable.owner_module), eq(fileTable.uploader_id, user.id), eq(fileTable.module, module));
  const own = and(eq(fileTable.owner_module, module), eq(fileTable.owner_id, String(recordId)));
  const given = await tx
    .update(fileTable)
    .set({ owner_module: module, owner_id: String(recordId), is_public: open })
    .where(and(inArray(fileTable.id, [...fileIds]), or(loose, own)))
    .returning({ id: fileTable.id });
  const done = new Set(given.map(({ id }) => id));
  return fileIds.filter((id) => !done.has(id));
}

/** The same, and refuses with `notAttachable` where one cannot be given. */
export async function attachAll(tx: Db, giving: Parameters<typeof give>[1]): Promise<void> {
  if ((await give(tx, giving)).length > 0) throw notAttachable();
}
export async function attach(tx: Db, { fileId, ...giving }: Attachment): Promise<void> {
  await attachAll(tx, { ...giving, fileIds: [fileId] });
}

/**
 * Files of their own with the same contents, sent by a person for a module: to be attached in the same transaction. Answers their ids
 * in the order of what was copied. Throws `notAttachable` where one is not there.
 */
export async function copyFiles(
  tx: Db,
  { fileIds, module, user }: { fileIds: readonly number[]; module: string; user: { id: number } },
): Promise<number[]> {
  if (fileIds.length === 0) return [];
  const { rows } = await tx.execute<{ id: number }>(sql`
    insert into file (name, ext, mime, size, sha256, module, uploader_id)
    select f.name, f.ext, f.mime, f.size, f.sha256, ${module}, ${user.id}
    from unnest(${sql.param([...fileIds])}::int[]) with ordinality asked(id, place) join file f on f.id = asked.id
    order by asked.place returning id`);
  if (rows.length !== fileIds.length) throw notAttachable();
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}

/** Takes files from a record that holds them; they are gone, their bytes follow unless another file has the same. Nothing happens to those the record does not hold. */
export async function detachAll(
  tx: Db,
  { fileIds, module, recordId }: Held & { fileIds: readonly number[] },
): Promise<void> {
  if (fileIds.length === 0) return;
  const held = and(eq(fileTable.owner_module, module), eq(fileTable.owner_id, String(recordId)));
  await tx.delete(fileTable).where(and(inArray(fileTable.id, [...fileIds]), held));
}
export async function detach(tx: Db, { fileId, ...held }: Held & { fileId: number }): Promise<void> {
  await detachAll(tx, { ...held, fileIds: [fileId] });
}

/** Address of a file for one viewer, some minutes; without a viewer only public files answer. */
export function fileUrl(tx: Db, fileId: number, viewer: { id: number } | null, now = houseNow()): string {
  const path = `/api/file/${fileId}/preview/`;
  return viewer ? `${path}?${tx.services.signer.sign(fileId, viewer.id, now)}` : `${path}`;
}

/** What a page shows of files, by id, with addresses for one viewer. The caller has made sure that the viewer may see them. */
export async function fileCards(
  tx: Db,
  ids: readonly number[],
  viewer: { id: number },
): Promise<Map<number, FileCard>> {
  if (ids.length === 0) return new Map();
  const { id, name, ext, mime, size } = fileTable;
  const rows = await tx
    .select({ id, name, ext, mime, size })
    .from(fileTable)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, { ...row, ...fileUrls(tx, row, viewer) }]));
}

/** Addresses of a file for one viewer, some minutes. */
export function fileUrls(tx: Db, file: { id: number; mime: string }, viewer: { id: number }, now = houseNow()) {
  const url = fileUrl(tx, file.id, viewer, now);
  return { url, thumb_url: file.mime.startsWith('image/') ? `${url}&thumb=1` : null };
}

/** The rule of a module; none for a name nobody registered, such as one every object inherits. */
export function ruleOf(owners: Owners, module: string) {
  return Object.hasOwn(owners, module) ? owners[module] : undefined;
}
