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
export { bytesOf, streamOf, type Opens } from './store/opening.ts';
export { fileById, filesById, giveMade, heldBy, keepMade, keepMadeStream, type Made } from './store/made.ts';
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
  /** Makes it public, like the site's logo. */
  open?: boolean;
}
export type Attachment = Giving & { fileId: number };

/**
 * Attaches files to a record: the user's unattached uploads for this module, and files the record has already. Returns the ids of all others, which
 * stay unchanged.
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

/** The same, but refuses with `notAttachable` if one cannot be attached. */
export async function attachAll(tx: Db, giving: Parameters<typeof give>[1]): Promise<void> {
  if ((await give(tx, giving)).length > 0) throw notAttachable();
}
export async function attach(tx: Db, { fileId, ...giving }: Attachment): Promise<void> {
  await attachAll(tx, { ...giving, fileIds: [fileId] });
}

/**
 * Copies files as a person's new uploads for a module, to be attached in the same transaction. Returns their ids in the given order. Throws
 * `notAttachable` if one does not exist.
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

/** Removes files from a record; their bytes are deleted later unless another file has the same content. Files of other records are left alone. */
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

/** Address of a file for one viewer, valid for minutes; without a viewer only public files are delivered. */
export function fileUrl(tx: Db, fileId: number, viewer: { id: number } | null, now = houseNow()): string {
  const path = `/api/file/${fileId}/preview/`;
  return viewer ? `${path}?${tx.services.signer.sign(fileId, viewer.id, now)}` : `${path}`;
}

/** Cards of files for pages, by id, with addresses for one viewer. The caller has checked that the viewer may see them. */
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

/** Addresses of a file for one viewer, valid for minutes. */
export function fileUrls(tx: Db, file: { id: number; mime: string }, viewer: { id: number }, now = houseNow()) {
  const url = fileUrl(tx, file.id, viewer, now);
  return { url, thumb_url: file.mime.startsWith('image/') ? `${url}&thumb=1` : null };
}

/** The rule of a module; undefined for an unregistered name, including those that every object inherits. */
export function ruleOf(owners: Owners, module: string) {
  return Object.hasOwn(owners, module) ? owners[module] : undefined;
}
