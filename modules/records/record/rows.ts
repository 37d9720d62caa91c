import { desc, and, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import type { Db } from '#kernel/server/db/db.ts';
import type { Page, PageAsked } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import type { OwnerRule } from '#modules/files/service.ts';
import { fileKinds } from '#kernel/contract/upload.ts';
import type { Card, LinkModule } from '#modules/links/service.ts';
import { actionsOn, approvalsOf, latestActionsOf } from '#modules/tickets/service.ts';
import { actStateNames } from '#modules/workflows/engine/codes.ts';
import type { Approval } from '#modules/tickets/contract/approval.ts';
import type { PersonCard } from '#modules/people/contract/cards.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { ApprovalCategory } from '../contract.ts';
import {
  columnOf,
  type ApprovalRow,
  type ApprovalTable,
  type RecordDefinition,
  type RecordViewer,
  type RowOf,
} from './definition.ts';
import type { visibilityOf } from './visibility.ts';

export type RecordApproval = Approval & { creator_info: PersonCard };
/** A record as a list shows it: who has it and since when, and what may be done with it now. */
export interface Listed<Row> {
  row: Row;
  /** Null where it has no ticket. */
  approval: RecordApproval | null;
}

/** What is asked of a list of records. */
export interface ListAsked extends PageAsked {
  search_value: string;
  category?: ApprovalCategory | undefined;
}
export interface ListOptions {
  /** What the list is narrowed to besides. */
  where?: SQL | undefined;
  /** Keys of columns it may be ordered by; the creation unless said, the newest first. */
  sort?: Record<string, AnyColumn | SQL>;
  first?: string;
}

/** Reading records: lists and pages, and what other modules show of them. */
export function readingFor<T extends ApprovalTable, V extends RecordViewer>(
  definition: RecordDefinition<T, V>,
  { alive, columns, inCategory, visible, rows, ticketsOf, viewerOf, sees }: ReturnType<typeof visibilityOf<T, V>>,
) {
  const { table, module, noun, page } = definition;

  /** How far the tickets of some records are, whom they wait for and since when, by record; for whoever sees the records. */
  async function approvals<Row extends Pick<ApprovalRow, 'id' | 'ticket_id'>>(tx: Db, viewer: V, of: readonly Row[]) {
    const asked = of.flatMap(({ id, ticket_id }) => (ticket_id === null ? [] : [{ id, ticket_id }]));
    if (asked.length === 0) return new Map<number, RecordApproval>();
    const tickets = asked.map((one) => one.ticket_id);
    const known = await approvalsOf(tx, tickets, await ticketsOf(tx, viewer));
    return new Map(
      asked.flatMap(({ id, ticket_id }) => {
        const found = known.get(ticket_id);
        return found ? [[id, found] as const] : [];
      }),
    );
  }

  /** One page of a category, with the tickets of its rows; a search asks the index of words. */
  async function list(
    tx: Db,
    viewer: V,
    asked: ListAsked,
    { where, sort = {}, first = 'gmt_created' }: ListOptions = {},
  ) {
    const shown = and(inCategory(tx, viewer, asked.category), where);
    const select = (found: SQL | undefined) => rows(tx, and(found, shown)).$dynamic() as unknown as PgSelect;
    const search = { column: table.search as AnyColumn, value: asked.search_value };
    const found = (await searchedPageOf(tx, asked, search, select, {
      by: { gmt_created: table.gmt_created, ...sort },
      first,
      descending: true,
      tie: table.id,
      along: {},
      steady: where === undefined && asked.search_value === '',
    })) as unknown as Page<RowOf<T>>;
    const known = await approvals(tx, viewer, found.value);
    const value = found.value.map((row): Listed<RowOf<T>> => ({ row, approval: known.get(row.id) ?? null }));
    return { ...found, value };
  }

  /** All somebody may do with the ticket of a record; nothing where they only see the record. */
  const ticketActions = async (tx: Db, viewer: V, row: RowOf<T>): Promise<string[]> =>
    row.ticket_id === null ? [] : actionsOn(tx, await ticketsOf(tx, viewer), row.ticket_id);

  /** What records it links to show of a record: its name, number and state. */
  const cardOf = (row: RowOf<T>): Card => {
    const { title, state, sn } = definition.card?.(row) ?? definition.log(row);
    return { id: row.id, title, sn: sn ?? '', state: state ?? actStateNames[row.act_state as 0], page: page(row.id) };
  };
  /** Its records, as they are linked and found by the palette. */
  const links: LinkModule = {
    name: noun,
    async seen(tx, user, ids) {
      const viewer = await viewerOf(tx, user);
      const found = (await rows(tx, and(isAmong(table.id, ids), visible(tx, viewer)))) as unknown as RowOf<T>[];
      return new Map(found.map((row) => [row.id, cardOf(row)]));
    },
    async find(tx, user, words) {
      const shown = and(visible(tx, await viewerOf(tx, user)), matches(table.search as AnyColumn, words));
      const found = await rows(tx, shown).orderBy(desc(table.gmt_created), desc(table.id)).limit(10);
      return (found as unknown as RowOf<T>[]).map(cardOf);
    },
    async happened(tx, ids, most) {
      const found = (await rows(tx, and(alive, isAmong(table.id, ids)))) as unknown as RowOf<T>[];
      const of = new Map(found.map((row) => [row.ticket_id, row.id]));
      const actions = await latestActionsOf(
        tx,
        found.flatMap((row) => row.ticket_id ?? []),
        most,
      );
      return actions.map(({ ticketId, ...action }) => ({ id: of.get(ticketId)!, ...action }));
    },
    ...definition.links,
  };
  /** Whose files its files are. */
  const files: OwnerRule = {
    kinds: fileKinds,
    imageSize: 2560,
    marked: true,
    may: (viewer, { recordId }, tx) => sees(tx, viewer, Number(recordId)),
  };
  return {
    approvals,
    list,
    ticketActions,
    cardOf,
    links,
    owners: { [module]: files },
    column: (key: string) => columnOf(table, key),
    columns,
  };
}
