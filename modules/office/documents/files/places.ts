import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { detach, fileById } from '#modules/platform/files/service.ts';
import { documentTable } from '../tables.ts';
import { documentFileTable, documentFileVersionTable } from '../tables/files.ts';

export type Place = typeof documentFileTable.$inferSelect;
type Editor = { id: number };

/** All places of a document, locked until the transaction ends, in a fixed order. */
export const heldPlaces = (tx: Db, documentId: number): Promise<Place[]> =>
  tx
    .select()
    .from(documentFileTable)
    .where(eq(documentFileTable.document_id, documentId))
    .orderBy(documentFileTable.id)
    .for('update');

/** Makes a place for a new file, with its first version. */
export async function openPlace(
  tx: Db,
  { documentId, isBody, fileId, user }: { documentId: number; isBody: boolean; fileId: number; user: Editor },
): Promise<void> {
  const [place] = await tx
    .insert(documentFileTable)
    .values({ document_id: documentId, is_body: isBody, file_id: fileId })
    .returning({ id: documentFileTable.id });
  await addRow(tx, place!.id, { versionNo: 1, fileId, user, reason: '' });
}

/** Puts another file into a locked place; the former one stays as an earlier version. Returns the new version number. */
export async function addVersion(
  tx: Db,
  place: Pick<Place, 'id' | 'version_no'>,
  { fileId, user, reason }: { fileId: number; user: Editor; reason: string },
): Promise<number> {
  const versionNo = place.version_no + 1;
  await addRow(tx, place.id, { versionNo, fileId, user, reason });
  await tx
    .update(documentFileTable)
    .set({ version_no: versionNo, file_id: fileId, removed_at: null })
    .where(eq(documentFileTable.id, place.id));
  return versionNo;
}

/** The file of an earlier version of a place; null if there is none with that number. */
export async function earlierFile(tx: Db, place: Place, versionNo: number): Promise<number | null> {
  const [row] = await tx
    .select({ file_id: documentFileVersionTable.file_id })
    .from(documentFileVersionTable)
    .where(
      and(eq(documentFileVersionTable.document_file_id, place.id), eq(documentFileVersionTable.version_no, versionNo)),
    );
  return row && row.file_id !== place.file_id ? row.file_id : null;
}

async function addRow(
  tx: Db,
  documentFileId: number,
  { versionNo, fileId, user, reason }: { versionNo: number; fileId: number; user: Editor; reason: string },
): Promise<void> {
  const file = await fileById(tx, fileId);
  const row = {
    document_file_id: documentFileId,
    version_no: versionNo,
    file_id: fileId,
    editor: user.id,
    reason,
    sha256: file!.sha256,
  };
  await tx.insert(documentFileVersionTable).values(row);
}

/** Removes a place from its document. After sending its versions are kept; before, they are deleted. */
export async function closePlace(tx: Db, place: Place, { kept }: { kept: boolean }): Promise<void> {
  const one = eq(documentFileTable.id, place.id);
  if (kept) {
    const unlocked = { lock_id: null, locked_by: null, lock_until: null };
    await tx
      .update(documentFileTable)
      .set({ ...unlocked, removed_at: sql`now()` })
      .where(one);
    return;
  }
  const files = await tx
    .selectDistinct({ file_id: documentFileVersionTable.file_id })
    .from(documentFileVersionTable)
    .where(eq(documentFileVersionTable.document_file_id, place.id));
  await tx.delete(documentFileTable).where(one);
  for (const { file_id: fileId } of files) {
    const [used] = await tx
      .select({ id: documentTable.id })
      .from(documentTable)
      .where(
        and(
          eq(documentTable.id, place.document_id),
          sql`(${documentTable.body_file} = ${fileId} or ${fileId} = any(${documentTable.attachments}) or exists (
            select 1 from ${documentFileVersionTable} where ${documentFileVersionTable.file_id} = ${fileId}))`,
        ),
      );
    if (!used) await detach(tx, { fileId, module: 'documents', recordId: place.document_id });
  }
}
