import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import type { Card, LinkModule } from '#modules/links/service.ts';
import { latestActionsOf, ticketViewerFor, ticketCard, type TicketViewer } from '#modules/tickets/service.ts';
import { notVoided } from '../visibility/recipient-view.ts';
import { alive, seenFromInside, visible } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

const shown = 10;
const { id, title, doc_number: docNumber, receipt_no: receiptNo, ticket_id: ticketId } = documentTable;
// What is secret stands in no list but its own.
const open = eq(documentTable.secret_level, 0);

const select = (tx: Db, condition: SQL | undefined) =>
  tx.select({ id, title, docNumber, receiptNo, ticketId }).from(documentTable).where(condition).$dynamic();

async function cardsOf(tx: Db, viewer: TicketViewer, rows: Awaited<ReturnType<typeof select>>): Promise<Card[]> {
  const known = new Set(
    await seenFromInside(
      tx,
      viewer,
      rows.map((row) => row.id),
    ),
  );
  const tickets = await ticketCard(
    tx,
    rows.flatMap((row) => row.ticketId ?? []),
  );
  return rows.map((row) => {
    const ticket = tickets.get(row.ticketId ?? 0);
    const state = ticket?.state ?? '';
    return {
      id: row.id,
      title: row.title,
      sn: row.docNumber || row.receiptNo || (ticket?.sn ?? ''),
      state: known.has(row.id) ? state : notVoided(state).act_state_name,
      page: `/document/detail/${row.id}`,
    };
  });
}

/** Documents, as they are linked. */
export const linkedDocuments: LinkModule = {
  name: '公文',
  async seen(tx, user, ids) {
    const viewer = await ticketViewerFor(tx, user, undefined);
    const rows = await select(tx, and(inArray(id, [...ids]), open, visible(tx, viewer)));
    return new Map((await cardsOf(tx, viewer, rows)).map((card) => [card.id, card]));
  },
  async changeable(tx, user, ids) {
    return seenFromInside(tx, await ticketViewerFor(tx, user, undefined), ids);
  },
  async keeps(tx, { from, to, type }) {
    if (type !== 'reply' || from.module !== to.module) return false;
    return (await tx.$count(documentTable, and(eq(id, to.id), eq(documentTable.reply_to_id, from.id)))) > 0;
  },
  async find(tx, user, value) {
    const viewer = await ticketViewerFor(tx, user, undefined);
    const asked = { page: 1, per_page: shown };
    const search = { column: documentTable.search, value };
    const which = (found: SQL | undefined) => select(tx, and(found, open, visible(tx, viewer)));
    const page = await searchedPageOf(tx, asked, search, which, {
      by: { gmt_created: documentTable.gmt_created },
      first: 'gmt_created',
      descending: true,
      tie: id,
      along: { gmt_created: alive! },
    });
    return cardsOf(tx, viewer, page.value);
  },
  async happened(tx, ids, max, user) {
    const known = await seenFromInside(tx, await ticketViewerFor(tx, user, undefined), ids);
    const rows = await tx.select({ id, ticketId }).from(documentTable).where(inArray(id, known));
    const of = new Map(rows.map((row) => [row.ticketId, row.id]));
    const actions = await latestActionsOf(
      tx,
      rows.flatMap((row) => row.ticketId ?? []),
      max,
    );
    return actions.map(({ ticketId: ticket, ...action }) => ({ id: of.get(ticket)!, ...action }));
  },
};
