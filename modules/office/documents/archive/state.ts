import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { archivedAlready } from '../contract/refusals.ts';
import { documentArchiveTable } from '../tables/archive.ts';

export type Archive = typeof documentArchiveTable.$inferSelect;

/** The archive row of a document; null if it is not archived. */
export async function archiveOf(tx: Db, documentId: number): Promise<Archive | null> {
  const [row] = await tx.select().from(documentArchiveTable).where(eq(documentArchiveTable.document_id, documentId));
  return row ?? null;
}

export const isArchived = async (tx: Db, documentId: number) => (await archiveOf(tx, documentId)) !== null;

/** Refuses to change an archived document. */
export async function refuseArchived(tx: Db, documentId: number): Promise<void> {
  const archive = await archiveOf(tx, documentId);
  if (archive) throw archivedAlready(archive.archive_no);
}
