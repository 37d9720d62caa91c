import { and, eq, inArray, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { pageOf, type Page, type PageAsked } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import type { OwnerRule } from '#modules/platform/files/service.ts';
import { fileKinds } from '#kernel/contract/upload.ts';
import type { Card, LinkModule } from '#modules/platform/links/service.ts';
import {
  actionsOn,
  approvalsOf,
  latestActionsOf,
  standingOf,
  ticketCard,
  ticketsNumbered,
  waitsFor,
} from '#modules/workflow/tickets/service.ts';
import type { Approval } from '#modules/workflow/tickets/contract/approval.ts';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { namesSomebody, saysOrShows } from '#modules/platform/people/service/words.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import {
  columnOf,
  standsAs,
  type ApprovalRow,
  type ApprovalTable,
  type ReadRow,
  type RecordDefinition,
  type RecordViewer,
  type RowOf,
} from './definition.ts';
import type { RecordCategory, visibilityOf } from './visibility.ts';

export type RecordApproval = Approval & { creator_info: PersonCard };
/** A record as a list shows it: its holder and since when, and what may be done with it now. */
export interface Listed<Row> {
  row: Row;
  /** Null if it has no ticket. */
  approval: RecordApproval | null;
}

/** Placeholder values for a record that has no ticket. */
export const withoutTicket = ({
  act_state,
  is_refused,
}: Pick<ApprovalRow, 'act_state' | 'is_refused'>): Omit<
  Approval,
  'ticket_id' | 'act_state' | 'gmt_modified' | 'actions'
> => ({
  sn: '',
  workflow_id: 0,
  act_state_name: standsAs({ act_state, is_refused }),
  state_id: 0,
  state_name: '',
  participant_info: {
    participant_type_id: 0,
    participant_type_name: '',
    participant: '',
    participant_name: '',
    participant_alias: '',
  },
  since: null,
  round: 0,
  news: false,
  on_behalf_of: '',
});

/** The query of a list of records. */
export interface ListAsked extends PageAsked {
  search_value: string;
  category?: RecordCategory | undefined;
}
export interface ListOptions {
  /** A further condition on the list. */
  where?: SQL | undefined;
  /** Keys of columns it may be ordered by; by default the creation, newest first. */
  sort?: Record<string, AnyColumn | SQL>;
  first?: string;
  /** `where` has only a few possible texts and no plan depends on its values: its statements are kept prepared. */
  steady?: boolean;
  /** Everything matched by `where` is visible by `related`, so visibility is not checked a second time. */
  opened?: boolean;
}

/** Reads records: for lists and pages, and for other modules. */
export function readingFor<T extends ApprovalTable, V extends RecordViewer>(
  definition: RecordDefinition<T, V>,
  {
    alive,
    columns,
    short,
    inCategory,
    visible,
    opened,
    inside,
    knownOf,
    rows,
    parts,
    ticketsOf,
    viewerOf,
    sees,
  }: ReturnType<typeof visibilityOf<T, V>>,
) {
  const { table, module, noun, page } = definition;

  /** The progress of some records' tickets: the holders and since when, by record; for a viewer who sees the records. */
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

  /** Returns one page of a category, fetching the tickets of its rows and `beside` at the same time; a search uses the index of words. */
  async function list<B = undefined>(
    tx: Db,
    viewer: V,
    asked: ListAsked,
    options: ListOptions = {},
    beside?: (rows: readonly ReadRow<T>[]) => Promise<B>,
  ) {
    const where = and(options.opened ? opened(tx, viewer) : inCategory(tx, viewer, asked.category), options.where);
    const steady = (options.steady ?? options.where === undefined) && asked.search_value === '';
    // The viewer of the tickets is fetched at the same time as the rows.
    const [found] = await Promise.all([pageFor(tx, viewer, asked, where, options, steady), ticketsOf(tx, viewer)]);
    const [known, more] = await Promise.all([approvals(tx, viewer, found.value), beside?.(found.value)]);
    const value = found.value.map((row): Listed<ReadRow<T>> => ({ row, approval: known.get(row.id) ?? null }));
    return { found: { ...found, value }, more };
  }

  /** Returns one page of rows without their long texts; a row is found by its ticket's number and by its people too, because the row shows them. */
  async function pageFor(
    tx: Db,
    viewer: V,
    asked: ListAsked,
    where: SQL | undefined,
    { sort = {}, first = 'gmt_created' }: ListOptions = {},
    steady = false,
  ): Promise<Page<ReadRow<T>>> {
    const { newest } = definition;
    const search = { column: table.search as AnyColumn, value: asked.search_value };
    const select = (found: SQL | undefined) => rows(tx, and(found, where), short);
    const counted = (found: SQL | undefined) => parts(tx, and(found, where), 'id');
    const order = {
      by: { gmt_created: table.gmt_created, ...sort },
      first,
      descending: true,
      tie: table.id,
      steady,
    };
    const [numbered, named] = await Promise.all([
      ticketsNumbered(tx, module, asked.search_value),
      namesSomebody(tx, asked.search_value),
    ]);
    if (numbered.length > 0 || named) {
      const said = (word: string) => matches(search.column, word);
      const found = or(
        saysOrShows(search.value, said, (ids) =>
          or(has(ids), and(knowing(tx, viewer), waitsFor(table.ticket_id, ids))),
        ),
        numbered.length > 0 ? inArray(table.ticket_id, numbered) : undefined,
      );
      return pageOf(tx, asked, select(found), order, counted(found));
    }
    const along: Record<string, SQL> = newest ? { gmt_created: newest } : {};
    return searchedPageOf(tx, asked, search, select, { ...order, along }, counted);
  }

  /** The records by whose holders a viewer may search: recipients see who wrote a text and who is named in it, and not who handles it. */
  const knowing = (tx: Db, viewer: V) => (definition.recipients ? inside(tx, viewer) : undefined);
  const has = (ids: SQL) => or(sql`${table.creator_id} in ${ids}`, definition.people?.(ids));

  /** All that somebody may do with the ticket of a record; empty if they only see the record. */
  const ticketActions = async (tx: Db, viewer: V, row: RowOf<T>): Promise<string[]> =>
    row.ticket_id === null ? [] : actionsOn(tx, await ticketsOf(tx, viewer), row.ticket_id);

  /** The card of a record where it is linked: its name, its number or that of its ticket, and its state. */
  const cardOf = (row: RowOf<T>, known = true, ticketNumber = ''): Card => {
    const { title, state, sn } = definition.card?.(row, known) ?? definition.log(row);
    return {
      id: row.id,
      title,
      sn: sn ?? ticketNumber,
      state: state ?? standsAs(row),
      page: page(row.id),
    };
  };
  /** Cards of some rows, for a viewer. */
  async function cardsOf(tx: Db, viewer: V, found: readonly RowOf<T>[]): Promise<Card[]> {
    const ids = found.map((row) => row.id);
    const known = definition.recipients && ids.length > 0 ? await knownOf(tx, viewer, ids) : new Set(ids);
    const unnumbered = found.filter((row) => (definition.card?.(row, true) ?? definition.log(row)).sn === undefined);
    const tickets = await ticketCard(
      tx,
      unnumbered.flatMap((row) => row.ticket_id ?? []),
    );
    const unsettled = ids.length > 0 ? await definition.ticket?.unsettled?.names(tx, ids) : undefined;
    return found.map((row) => {
      const card = cardOf(row, known.has(row.id), tickets.get(row.ticket_id ?? 0)?.sn);
      return known.has(row.id) ? { ...card, state: unsettled?.get(row.id) ?? card.state } : card;
    });
  }
  /** Its records as links and the palette find them. */
  const links: LinkModule = {
    name: noun,
    async seen(tx, user, ids) {
      const viewer = await viewerOf(tx, user);
      const shown = and(isAmong(table.id, ids), definition.named, visible(tx, viewer));
      const cards = await cardsOf(tx, viewer, await rows(tx, shown, short));
      return new Map(cards.map((card) => [card.id, card]));
    },
    async find(tx, user, words) {
      const viewer = await viewerOf(tx, user);
      const shown = and(definition.named, visible(tx, viewer));
      const { value } = await pageFor(tx, viewer, { page: 1, per_page: 10, search_value: words }, shown);
      return cardsOf(tx, viewer, value);
    },
    ...(definition.recipients && {
      changeable: async (tx: Db, user: Viewer, ids: readonly number[]) => [
        ...(await knownOf(tx, await viewerOf(tx, user), ids)),
      ],
    }),
    async happened(tx, ids, most, user) {
      const known = definition.recipients ? inside(tx, await viewerOf(tx, user)) : undefined;
      const found = await rows(tx, and(alive, isAmong(table.id, ids), known), short);
      const of = new Map(found.map((row) => [row.ticket_id, row.id]));
      const actions = await latestActionsOf(
        tx,
        found.flatMap((row) => row.ticket_id ?? []),
        most,
      );
      return actions.map(({ ticketId, ...action }) => ({ id: of.get(ticketId)!, ...action }));
    },
    async standing(tx, user, id) {
      const [row] = await parts(tx, eq(table.id, id), 'ticket_id');
      return row?.ticket_id == null ? null : standingOf(tx, user, row.ticket_id);
    },
    ...definition.links,
  };
  /** The owner rule of its files. */
  const files: OwnerRule = {
    kinds: fileKinds,
    imageSize: 2560,
    watermarked: true,
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
