import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { isOffice, ofDocuments, ofOwnDocuments, type Opening } from '#modules/office/documents/service.ts';
import { keptRecords, type TicketViewer } from '#modules/workflow/tickets/service.ts';
import { copyState } from './contract/list.ts';
import { distTable, distUserTable } from './tables.ts';

export const page = 'document/dist';

/** A copy that was not recalled opens its document. */
export const receivedDocuments: Opening = (document, user) => sql`${document} in (
  select c.document_id from ${distUserTable} c where c.user_id = ${user.id} and c.state <> ${copyState.recalled})`;

/** Distributions that a person received and still has, optionally in one state. */
export function receivedBy(user: Pick<Viewer, 'id'>, state?: number): SQL {
  const wanted = state === undefined ? sql`c.state <> ${copyState.recalled}` : sql`c.state = ${state}`;
  return sql`exists (select from ${distUserTable} c where c.dist_id = ${distTable.id} and c.user_id = ${user.id}
    and c.state <> ${copyState.recalled} and ${wanted})`;
}

export const sentBy = (user: Pick<Viewer, 'id'>): SQL => eq(distTable.sender_id, user.id);

/**
 * Distributions a person manages: their own, those of documents they drafted, and those of departments in their scope, if they may see the
 * document.
 */
export function managedBy(tx: Db, viewer: TicketViewer): SQL {
  const { user } = viewer;
  const sent = sentBy(user);
  if (!holds(user, 'Retrieve', page)) return sent;
  const own = or(sent, ofOwnDocuments(tx, distTable.document_id, user))!;
  const reached = within(scopeOf(user, 'Retrieve', page), distTable.sender_dept, own);
  return or(sent, and(reached, ofDocuments(tx, distTable.document_id, viewer)))!;
}

/** Every distribution a person may see: the one condition of get, list, count, search and export. */
export function visibleTo(
  tx: Db,
  viewer: TicketViewer,
  scope?: 'received' | 'sent' | 'all',
  state?: number,
): SQL | undefined {
  const { user } = viewer;
  const wanted = {
    received: () => receivedBy(user),
    sent: () => sentBy(user),
    all: () => managedBy(tx, viewer),
    any: () => or(receivedBy(user), managedBy(tx, viewer))!,
  }[scope ?? 'any']();
  return and(
    wanted,
    state === undefined ? undefined : receivedBy(user, state),
    keptRecords(viewer) ? ofDocuments(tx, distTable.document_id, viewer) : undefined,
  );
}

/** Allowed for its sender, and for the office where it manages it. */
export const mayRecall = (user: Viewer, dist: { sender_id: number }) => dist.sender_id === user.id || isOffice(user);
