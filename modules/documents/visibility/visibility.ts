import { and, eq, gt, inArray, isNotNull, ne, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { absent, forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { holdTicket, keptRecords, ticketViewerFor, ofTickets, type TicketViewer } from '#modules/tickets/service.ts';
import type { documentCategories } from '../contract.ts';
import { documentCollectTable, documentTable } from '../tables.ts';
import { documentFileTable, documentFileVersionTable } from '../tables/files.ts';

export type DocumentCategory = (typeof documentCategories)[number];
export type Stored = typeof documentTable.$inferSelect;

const page = 'document/list';
/** The office runs the documents of the house: numbers, categories, levels, voids. */
export const isOffice = (user: Viewer) => holds(user, 'Update', 'document/setting');

export const alive = and(eq(documentTable.is_deleted, false), isNotNull(documentTable.ticket_id));
const isOwn = (user: Viewer) => eq(documentTable.creator_id, user.id);

/** What the page of documents shows beyond one's own part in them: all but drafts, within the data scope. */
function inScope(viewer: TicketViewer): SQL | undefined {
  const { user } = viewer;
  if (!holds(user, 'Retrieve', page) || keptRecords(viewer)) return sql`false`;
  return and(
    within(scopeOf(user, 'Retrieve', page), documentTable.dept_id, isOwn(user)),
    ne(documentTable.act_state, 0),
  );
}

/** A condition on the id of a document, from a module above, under which a person sees it besides. */
export type Opening = (document: AnyColumn, user: Viewer) => SQL;

/**
 * Whoever was given it by another module, once it was approved: what is on its way again is for nobody else to see, and what was given up
 * there neither. An application that is kept to some tickets is given nothing.
 */
function opened(tx: Db, viewer: TicketViewer): SQL | undefined {
  if (keptRecords(viewer)) return undefined;
  const given = or(...tx.services.product.openings.map((opening) => opening(documentTable.id, viewer.user)));
  return given && and(eq(documentTable.approved, true), given);
}
/** Approved, and not revoked since. */
export const through = and(eq(documentTable.approved, true), eq(documentTable.is_void, false))!;

/** Whoever sees its ticket, and whose page reaches it. */
export const fromInside = (tx: Db, viewer: TicketViewer): SQL =>
  or(ofTickets(tx, documentTable.ticket_id, viewer), inScope(viewer))!;

/** Those, and to whom it was opened: the one condition behind get, list, count, search and export. */
export function visible(tx: Db, viewer: TicketViewer): SQL | undefined {
  return and(alive, or(fromInside(tx, viewer), opened(tx, viewer)));
}

/**
 * Whether somebody who sees a document sees what it was before and how it was handled, too: to whom it was only opened, it is
 * what was given out.
 */
export async function seesPast(tx: Db, viewer: TicketViewer, id: number): Promise<boolean> {
  return (await seenFromInside(tx, viewer, [id])).length > 0;
}

/** Those of some documents that somebody sees from inside: their past, and where they stand. */
export async function seenFromInside(tx: Db, viewer: TicketViewer, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ id: documentTable.id })
    .from(documentTable)
    .where(and(inArray(documentTable.id, [...ids]), fromInside(tx, viewer)));
  return rows.map((row) => row.id);
}

/** Throws `absent` where somebody sees a document only as it was given out. */
export async function refuseOutsiders(
  tx: Db,
  viewer: TicketViewer,
  { id }: Pick<Stored, 'id'>,
  what: string,
): Promise<void> {
  if (!(await seesPast(tx, viewer, id))) throw absent(what);
}

/** Throws `forbidden` where somebody would change what was only given to them. */
export async function refuseRecipient(
  tx: Db,
  viewer: TicketViewer,
  { id }: Pick<Stored, 'id'>,
  action: string,
): Promise<void> {
  if (!(await seesPast(tx, viewer, id))) throw forbidden(action);
}

/** The documents of a category; each is a part of what `visible` lets a person see. */
export function inCategory(tx: Db, viewer: TicketViewer, category: DocumentCategory | undefined): SQL | undefined {
  const { user } = viewer;
  if (category === undefined) return visible(tx, viewer);
  if (category === 'all') return and(alive, inScope(viewer));
  if (category === 'collect') return and(visible(tx, viewer), collectedBy(user));
  return and(alive, ofTickets(tx, documentTable.ticket_id, viewer, category));
}

export const collectedBy = (user: Viewer) => sql<boolean>`exists (select 1 from ${documentCollectTable} k
  where k.document_id = ${documentTable.id} and k.user_id = ${user.id})`;

/** A document somebody may see, its row locked where it is to be written. Anything else is absent, whether it exists or not. */
export async function seen(
  tx: Db,
  user: Viewer,
  id: number,
  lock = false,
  what = '公文',
): Promise<{ doc: Stored; viewer: TicketViewer; ticketId: number }> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const read = () =>
    tx
      .select()
      .from(documentTable)
      .where(and(eq(documentTable.id, id), visible(tx, viewer)));
  let [doc] = await read();
  if (doc?.ticket_id && lock) {
    await holdTicket(tx, doc.ticket_id);
    [doc] = await read().for('no key update');
  }
  if (!doc?.ticket_id) throw absent(what);
  return { doc, viewer, ticketId: doc.ticket_id };
}

/** Whether a secret document is behind a record: itself, or the ticket that decides it. */
export async function isSecret(tx: Db, by: 'document' | 'ticket', id: number): Promise<boolean> {
  const column = by === 'document' ? documentTable.id : documentTable.ticket_id;
  const found = await tx
    .select({ id: documentTable.id })
    .from(documentTable)
    .where(and(eq(column, id), gt(documentTable.secret_level, 0)));
  return found.length > 0;
}

/** Whether a person sees a file of a document: the document, and the file in it, now or, where they see its past, earlier. */
export async function seesFile(user: Viewer, file: { id: number; recordId: string }, tx: Db): Promise<boolean> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const [doc] = await tx
    .select({
      body: documentTable.body_file,
      attachments: documentTable.attachments,
      final: documentTable.final_file,
    })
    .from(documentTable)
    .where(and(eq(documentTable.id, Number(file.recordId)), visible(tx, viewer)));
  if (doc === undefined || doc.body === file.id || doc.final === file.id || doc.attachments.includes(file.id))
    return doc !== undefined;
  if (!(await seesPast(tx, viewer, Number(file.recordId)))) return false;
  const [version] = await tx
    .select({ id: documentFileVersionTable.id })
    .from(documentFileVersionTable)
    .innerJoin(documentFileTable, eq(documentFileTable.id, documentFileVersionTable.document_file_id))
    .where(and(eq(documentFileVersionTable.file_id, file.id), eq(documentFileTable.document_id, Number(file.recordId))))
    .limit(1);
  return version !== undefined;
}
