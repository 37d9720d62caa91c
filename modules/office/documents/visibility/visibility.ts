import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { absent, forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { RowOf } from '#modules/workflow/records/service.ts';
import type { documentCategories } from '../contract.ts';
import { secretLevel } from '../contract/shapes.ts';
import { docs, type DocumentViewer } from '../record/record.ts';
import { documentCollectTable, documentTable } from '../tables.ts';
import { documentFileTable, documentFileVersionTable } from '../tables/files.ts';

export type DocumentCategory = (typeof documentCategories)[number];
export type Stored = RowOf<typeof documentTable>;

export interface SeenDocument {
  doc: Stored;
  viewer: DocumentViewer;
  ticketId: number;
}

/** A document the user may see, locked with its ticket if `lock` is set. All others answer as absent, whether they exist or not. */
export async function seen(tx: Db, user: Viewer, id: number, lock = false, what?: string): Promise<SeenDocument> {
  const viewer = await docs.viewerOf(tx, user);
  const doc = lock
    ? await docs.requireForUpdate(tx, viewer, id, undefined, what)
    : await docs.requireVisible(tx, viewer, id, what);
  return { doc, viewer, ticketId: doc.ticket_id! };
}

/** True if the viewer sees a document's history and handling; recipients see only what was issued. */
export const seesPast = async (tx: Db, viewer: DocumentViewer, id: number): Promise<boolean> =>
  (await docs.knownOf(tx, viewer, [id])).has(id);

/** The same as `seen`, but answers `absent` for recipients, too. */
export async function seenInside(tx: Db, user: Viewer, id: number, what: string, lock = false): Promise<SeenDocument> {
  const found = await seen(tx, user, id, lock, what);
  if (!(await seesPast(tx, found.viewer, id))) throw absent(what);
  return found;
}

/** The same for a change; answers `forbidden` for recipients. */
export async function seenToChange(tx: Db, user: Viewer, id: number, action: string): Promise<SeenDocument> {
  const found = await seen(tx, user, id, true);
  await refuseRecipient(tx, found.viewer, id, action);
  return found;
}

export async function refuseRecipient(tx: Db, viewer: DocumentViewer, id: number, action: string): Promise<void> {
  if (!(await seesPast(tx, viewer, id))) throw forbidden(action);
}

export const collectedBy = (user: Viewer): SQL<boolean> => sql`exists (select 1 from ${documentCollectTable} k
  where k.document_id = ${documentTable.id} and k.user_id = ${user.id})`;

/** True if the record is a secret document, or a ticket that decides one. */
export async function isSecret(tx: Db, by: 'document' | 'ticket', id: number): Promise<boolean> {
  const column = by === 'document' ? documentTable.id : documentTable.ticket_id;
  return (await tx.$count(documentTable, and(eq(column, id), gt(documentTable.secret_level, secretLevel.none)))) > 0;
}

/** True if a file is the finished paper of a void document. */
export async function isVoidPaper(tx: Db, id: number, fileId: number): Promise<boolean> {
  const { is_void, final_file } = documentTable;
  return (await tx.$count(documentTable, and(eq(documentTable.id, id), eq(is_void, true), eq(final_file, fileId)))) > 0;
}

/** True if the user sees a file of a document: one of its present files, or for insiders also an earlier one. */
export async function seesFile(user: Viewer, file: { id: number; recordId: string }, tx: Db): Promise<boolean> {
  const viewer = await docs.viewerOf(tx, user);
  const doc = await docs.find(tx, viewer, Number(file.recordId));
  if (!doc) return false;
  if (doc.body_file === file.id || doc.final_file === file.id || doc.attachments.includes(file.id)) return true;
  if (!(await seesPast(tx, viewer, doc.id))) return false;
  const [version] = await tx
    .select({ id: documentFileVersionTable.id })
    .from(documentFileVersionTable)
    .innerJoin(documentFileTable, eq(documentFileTable.id, documentFileVersionTable.document_file_id))
    .where(and(eq(documentFileVersionTable.file_id, file.id), eq(documentFileTable.document_id, doc.id)))
    .limit(1);
  return version !== undefined;
}
