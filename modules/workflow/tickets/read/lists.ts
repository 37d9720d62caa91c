import { and, eq, exists, gte, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { exactTotal } from '#kernel/contract/shapes.ts';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf, type Page } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import { contains, startsWith } from '#kernel/server/list/contains.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { namesSomebody, saysOrShows } from '#modules/platform/people/service/words.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { byField } from '../fields/by-field.ts';
import { withForms } from '../fields/exporting.ts';
import { rowsOf } from './cards.ts';
import { waitingFor } from './linked.ts';
import { categories, type tickets } from '../contract.ts';
import type { Row } from '../contract/shapes.ts';
import { closedAmong } from '../records/closed.ts';
import { leaving, settled } from '../records/records.ts';
import { ticketTable, ticketTokenTable } from '../tables.ts';
import { dutyTickets, union } from '../visibility/involved.ts';
import {
  mayListAll,
  readerOf,
  readFor,
  ticketViewerOf,
  type Category,
  type TicketViewer,
} from '../visibility/viewer.ts';
import { alive, countable, inAdministered, inCategory } from '../visibility/visibility.ts';

type Asked = QueryOf<typeof tickets.list>;

/** Returns one page of a category: the ids first, then the data of just those rows. */
export async function listed(tx: Db, asked: Asked, user: Viewer): Promise<Page<Row>> {
  const read = (viewer: TicketViewer) => idsOf(tx, asked, viewer);
  const administers = async () => {
    const viewer = await ticketViewerOf(tx, user);
    return [viewer, await read(viewer)] as const;
  };
  const [viewer, page] = await (asked.from_admin ? administers() : readFor(tx, user, asked.category, read));
  const ids = page.value.map((row) => row.id);
  const rows = await rowsOf(tx, ids, readerOf(viewer));
  const closed = await closedIn(tx, viewer, asked.category, ids);
  const value = rows.map((row) => (closed.has(row.id) ? { ...row, record_path: null } : row));
  return withForms(tx, { ...page, value }, asked, closed);
}

/** Tickets of a page whose records the viewer may not see; there are none in the categories of one's own part. */
async function closedIn(tx: Db, viewer: TicketViewer, category: Category | undefined, ids: readonly number[]) {
  if (category !== undefined && category !== 'all') return new Set<number>();
  const { user } = viewer;
  // A list of all tickets was read without the reader's named workflows.
  return closedAmong(tx, mayListAll(user) && !user.superAdmin ? await ticketViewerOf(tx, user) : viewer, ids);
}

async function idsOf(tx: Db, asked: Asked, viewer: TicketViewer): Promise<Page<{ id: number }>> {
  const { filters: ofForm, order } = await byField(tx, asked, viewer.user);
  const filters = [...(await filtersOf(tx, asked, viewer)), ...ofForm].filter((one) => one !== undefined);
  const shown = and(inCategory(asked.category, viewer), ...filters);
  const select = (found: SQL | undefined) =>
    tx.select({ id: ticketTable.id }).from(ticketTable).where(and(found, shown)).$dynamic();
  const search = { column: ticketTable.search, value: asked.search_value };
  const sorted = order
    ? { ...asked, order_by: 'field', desc: order.descending }
    : { ...asked, desc: asked.desc ?? (asked.order_by ? undefined : asked.reverse) };
  const sorting = {
    by: {
      ...(order ? { field: order.target } : {}),
      gmt_created: ticketTable.gmt_created,
      gmt_modified: ticketTable.gmt_modified,
      due_at: ticketTable.due_at,
      sn: ticketTable.sn,
    },
    first: 'gmt_created',
    descending: true,
    tie: ticketTable.id,
    steady: !order && filters.length === 0 && asked.search_value === '',
  };
  if (!(await namesSomebody(tx, asked.search_value)))
    return searchedPageOf(tx, sorted, search, select, { ...sorting, along: { gmt_created: alive } });
  // A row shows whom its ticket waits for, which its search words do not hold. One index gives the tickets of either; `or` would read all tickets.
  const found = saysOrShows(
    asked.search_value,
    () => undefined,
    (ids, word) =>
      sql`${ticketTable.id} in (select ${ticketTable.id} from ${ticketTable} where ${matches(ticketTable.search, word)} union ${waitingFor(ids)})`,
  );
  return pageOf(tx, sorted, select(found), sorting);
}

async function filtersOf(tx: Db, asked: Asked, viewer: TicketViewer): Promise<(SQL | undefined)[]> {
  const { creator } = asked;
  const wanted = creator ? (await peopleByName(tx, [creator])).get(creator)?.id : undefined;
  return [
    asked.export ? leaving(tx, ticketTable.id) : undefined,
    asked.sn ? startsWith(ticketTable.sn, asked.sn.toUpperCase()) : undefined,
    asked.title ? contains(ticketTable.title, asked.title) : undefined,
    asked.create_start ? gte(ticketTable.gmt_created, asked.create_start) : undefined,
    asked.create_end ? sql`${ticketTable.gmt_created} < ${asked.create_end}::date + 1` : undefined,
    asked.workflow_ids ? inArray(ticketTable.workflow_id, asked.workflow_ids) : undefined,
    asked.ticket_ids ? inArray(ticketTable.id, asked.ticket_ids) : undefined,
    asked.act_state_id !== undefined ? eq(ticketTable.act_state, asked.act_state_id) : undefined,
    asked.act_state_id === actState.finished ? settled(tx, ticketTable.id) : undefined,
    asked.parent_ticket_id ? eq(ticketTable.parent_ticket_id, asked.parent_ticket_id) : undefined,
    asked.parent_ticket_state_id ? eq(ticketTable.parent_ticket_state_id, asked.parent_ticket_state_id) : undefined,
    asked.from_admin ? inAdministered(viewer) : undefined,
    creator ? (wanted ? eq(ticketTable.creator_id, wanted) : sql`false`) : undefined,
    asked.state_ids
      ? exists(
          tx
            .select({ no: ticketTokenTable.no })
            .from(ticketTokenTable)
            .where(
              and(
                eq(ticketTokenTable.ticket_id, ticketTable.id),
                inArray(ticketTokenTable.state_id, asked.state_ids),
                ne(ticketTokenTable.status, 'done'),
              ),
            ),
        )
      : undefined,
  ];
}

/** Totals of the categories a person may list, equal to those of the lists; one statement. */
export async function totals(tx: Db, viewer: TicketViewer): Promise<Partial<Record<Category, number>>> {
  const open = categories.filter((category) => category !== 'all' || mayListAll(viewer.user));
  const counts = open.map((category) => {
    const parts = countable(category, viewer);
    // If one part reaches the limit of the count, so does the total, and none needs to be read further.
    const capped = parts?.map((part) => sql`(select distinct ticket_id from (${part}) as part limit ${exactTotal})`);
    const inner = capped
      ? sql`select ticket_id from (${union(capped)}) as involved group by ticket_id`
      : tx.select({ id: ticketTable.id }).from(ticketTable).where(inCategory(category, viewer));
    return sql`(select count(*) from (${inner} limit ${exactTotal}) as ${sql.identifier(`c_${category}`)}) as ${sql.identifier(category)}`;
  });
  const { rows } = await tx.execute<Record<string, string>>(sql`select ${sql.join(counts, sql`, `)}`);
  return Object.fromEntries(open.map((category) => [category, Number(rows[0]?.[category] ?? 0)]));
}

/** A person's open tasks: how many are late or unread, and the five most urgent. */
export async function context(
  tx: Db,
  viewer: TicketViewer,
): Promise<{ overdue: number; unread: number; recent: Row[] }> {
  const { id, application } = viewer.user;
  const only = application?.only['workflows'];
  const { rows } = await tx.execute<{ id: number; late: boolean; unread: boolean }>(sql`
    select t.id, coalesce(t.due_at < now(), false) as late, coalesce(w.unread, false) as unread
    from ticket t left join lateral (
      select bool_or(first_read_at is null) as unread, min(opened_at) as since from ticket_task
      where ticket_id = t.id and assignee_id = ${id} and status = 'todo') w on true
    where t.id = any(array(${union(dutyTickets(viewer))})) and not t.is_deleted ${only ? sql`and t.workflow_id = any(${sql.param([...only])}::int[])` : sql``}
    order by t.due_at nulls last, t.priority desc, w.since nulls last, t.id limit ${exactTotal}`);
  const first = rows.slice(0, 5).map((row) => row.id);
  return {
    overdue: rows.filter((row) => row.late).length,
    unread: rows.filter((row) => row.unread).length,
    recent: await rowsOf(tx, first, readerOf(viewer)),
  };
}
