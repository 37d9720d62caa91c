import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { isWithAuthor } from '#modules/workflow/records/service.ts';
import { standsIn } from '#modules/workflow/tickets/service.ts';
import { means } from '../engine/flow.ts';
import { docs } from '../record/record.ts';
import { isHandling, mayEdit } from '../record/rows.ts';
import { keepsAsReceived } from '../rules/registering.ts';
import { documentFileTable, documentFileVersionTable } from '../tables/files.ts';
import type { SeenDocument, Stored } from '../visibility/visibility.ts';
import type { Place } from './places.ts';

/** True if the body of a signed document may still be changed: only in review, before it may be distributed. */
export async function isReviewed(tx: Db, doc: Stored): Promise<boolean> {
  if (doc.body_sha256 === null || doc.ticket_id === null || doc.issued) return false;
  return (await standsIn(tx, doc.ticket_id)).some((state) => means(state, 'review'));
}

/** True if the user may change the files of a document now. */
export async function mayWriteFiles(tx: Db, { doc, viewer }: SeenDocument, user: Viewer): Promise<boolean> {
  if (!mayEdit(doc, user, isHandling(await docs.ticketActions(tx, viewer, doc)))) return false;
  return isWithAuthor(doc) || doc.body_sha256 === null || (await isReviewed(tx, doc));
}

/** The places of a document whose first version the user uploaded. */
export async function laidBy(tx: Db, doc: Pick<Stored, 'id'>, { id }: { id: number }): Promise<Set<number>> {
  const { document_file_id, version_no, editor } = documentFileVersionTable;
  const rows = await tx
    .select({ place: document_file_id })
    .from(documentFileVersionTable)
    .innerJoin(documentFileTable, eq(documentFileTable.id, document_file_id))
    .where(and(eq(documentFileTable.document_id, doc.id), eq(version_no, 1), eq(editor, id)));
  return new Set(rows.map((row) => row.place));
}

/** Returns a predicate: may the user save into a place now? In a letter as received, only into places they added. */
export async function writablePlaces(
  tx: Db,
  visibility: SeenDocument,
  user: Viewer,
): Promise<(place: Pick<Place, 'id' | 'is_body'>) => boolean> {
  if (!(await mayWriteFiles(tx, visibility, user))) return () => false;
  if (!keepsAsReceived(visibility.doc, user)) return () => true;
  const own = await laidBy(tx, visibility.doc, user);
  return ({ id, is_body }) => !is_body && own.has(id);
}
