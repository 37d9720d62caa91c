import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import type { Signer } from './address.ts';
import { notAttachable, type FileCard } from './contract.ts';
import type { Owners } from './owners.ts';
import { fileTable } from './tables.ts';

export { createSigner, type Signer } from './address.ts';
export type { OwnerRule, Owners } from './owners.ts';

export interface Attachment {
  fileId: number;
  module: string;
  recordId: number | string;
  user: { id: number };
  /** Seen by strangers from now on: the site's logo. */
  open?: boolean;
}

/**
 * Gives a file to a record: an upload of the one who saves that no record has yet and that was sent for this module, or a
 * file the record has already. Refuses anything else with `notAttachable`.
 */
export async function attach(tx: Db, { fileId, module, recordId, user, open = false }: Attachment): Promise<void> {
  const loose = and(isNull(fileTable.ownerModule), eq(fileTable.uploaderId, user.id), eq(fileTable.module, module));
  const own = and(eq(fileTable.ownerModule, module), eq(fileTable.ownerId, String(recordId)));
  const given = await tx
    .update(fileTable)
    .set({ ownerModule: module, ownerId: String(recordId), open })
    .where(and(eq(fileTable.id, fileId), or(loose, own)))
    .returning({ id: fileTable.id });
  if (given.length === 0) throw notAttachable();
}

/** Takes a file from a record that holds it; the file is gone. Nothing happens where the record does not hold it. */
export async function detach(
  tx: Db,
  held: { fileId: number; module: string; recordId: number | string },
): Promise<void> {
  await tx
    .delete(fileTable)
    .where(
      and(
        eq(fileTable.id, held.fileId),
        eq(fileTable.ownerModule, held.module),
        eq(fileTable.ownerId, String(held.recordId)),
      ),
    );
}

/** Address of a file for one viewer, some minutes; without a viewer only public files answer. */
export function fileUrl(signer: Signer, fileId: number, viewer: { id: number } | null, now = new Date()): string {
  const path = `/api/file/${fileId}/preview/`;
  return viewer ? `${path}?${signer.sign(fileId, viewer.id, now)}` : `${path}`;
}

/** What a page shows of files, by id, with addresses for one viewer. The caller has made sure that the viewer may see them. */
export async function fileCards(
  tx: Db,
  signer: Signer,
  ids: readonly number[],
  viewer: { id: number },
): Promise<Map<number, FileCard>> {
  if (ids.length === 0) return new Map();
  const { id, name, ext, mime, size } = fileTable;
  const rows = await tx
    .select({ id, name, ext, mime, size })
    .from(fileTable)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, { ...row, url: fileUrl(signer, row.id, viewer) }]));
}

const looseHours = 24;
const portion = 200;

/** Deletes uploads no record took within a day; true when more may wait. */
export async function purgeLoose(tx: Db): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    delete from file where id in (
      select id from file
      where owner_module is null and gmt_created < now() - make_interval(hours => ${looseHours})
      limit ${portion} for update skip locked)`);
  return rowCount === portion;
}

/** The rule of a module; none for a name nobody registered, such as one every object inherits. */
export function ruleOf(owners: Owners, module: string) {
  return Object.hasOwn(owners, module) ? owners[module] : undefined;
}
