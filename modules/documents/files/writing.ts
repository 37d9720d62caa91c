import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { actionsOn, standsIn, type TicketViewer } from '#modules/tickets/service.ts';
import { means } from '../engine/flow.ts';
import { isHandling, isWithAuthor, mayEdit } from '../record/rows.ts';
import type { Stored } from '../visibility/visibility.ts';

/** Whether the body of a signed document may still be changed: only while it is reviewed before its number. */
export async function isReviewed(tx: Db, doc: Stored): Promise<boolean> {
  if (doc.body_sha256 === null || doc.ticket_id === null) return false;
  return (await standsIn(tx, doc.ticket_id)).some((state) => means(state, 'review'));
}

/** Whether a person may change the files of a document now. */
export async function mayWriteFiles(
  tx: Db,
  { doc, viewer, ticketId }: { doc: Stored; viewer: TicketViewer; ticketId: number },
  user: Viewer,
): Promise<boolean> {
  if (!mayEdit(doc, user, isHandling(await actionsOn(tx, viewer, ticketId)))) return false;
  return isWithAuthor(doc) || doc.body_sha256 === null || (await isReviewed(tx, doc));
}
