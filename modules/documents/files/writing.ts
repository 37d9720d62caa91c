import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { isWithAuthor } from '#modules/records/service.ts';
import { standsIn } from '#modules/tickets/service.ts';
import { means } from '../engine/flow.ts';
import { docs } from '../record/record.ts';
import { isHandling, mayEdit } from '../record/rows.ts';
import type { SeenDocument, Stored } from '../visibility/visibility.ts';

/** Whether the body of a signed document may still be changed: only while it is reviewed before its number. */
export async function isReviewed(tx: Db, doc: Stored): Promise<boolean> {
  if (doc.body_sha256 === null || doc.ticket_id === null) return false;
  return (await standsIn(tx, doc.ticket_id)).some((state) => means(state, 'review'));
}

/** Whether a person may change the files of a document now. */
export async function mayWriteFiles(tx: Db, { doc, viewer }: SeenDocument, user: Viewer): Promise<boolean> {
  if (!mayEdit(doc, user, isHandling(await docs.ticketActions(tx, viewer, doc)))) return false;
  return isWithAuthor(doc) || doc.body_sha256 === null || (await isReviewed(tx, doc));
}
