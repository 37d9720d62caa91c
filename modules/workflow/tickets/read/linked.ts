import { and, inArray, isNull, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { numberOf } from '#kernel/server/db/numbering.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { matches } from '#kernel/server/list/search.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import type { Card, LinkModule } from '#modules/platform/links/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { latestActionsOf } from './latest-actions.ts';
import { standingOf } from '../records/standing.ts';
import { ticketTable, ticketTaskTable } from '../tables.ts';
import { ticketViewerFor } from '../visibility/viewer.ts';
import { alive, visibleTo } from '../visibility/visibility.ts';

const shown = 10;
const { id, title, sn, act_state, is_void } = ticketTable;
// A ticket that decides a record is linked as that record.
const plain = isNull(ticketTable.biz_module);

const select = (tx: Db, condition: SQL | undefined) =>
  tx.select({ id, title, sn, act_state, is_void }).from(ticketTable).where(condition).$dynamic();
const cardOf = (row: Awaited<ReturnType<typeof select>>[number]): Card => ({
  id: row.id,
  title: row.title,
  sn: row.sn,
  state: row.is_void ? '已作废' : actState.label(row.act_state),
  page: `/ticket/detail/${row.id}`,
});

/** Number and state of tickets, by id, for the records they decide; the caller has checked the right to see them. */
export async function ticketCard(tx: Db, ids: readonly number[]): Promise<Map<number, Pick<Card, 'sn' | 'state'>>> {
  if (ids.length === 0) return new Map();
  const rows = await select(tx, inArray(id, [...ids]));
  // A ticket of this transaction may not have a number yet.
  for (const row of rows) row.sn = await numberOf(tx, row.sn);
  return new Map(rows.map((row) => [row.id, cardOf(row)]));
}

/** Tickets that wait for people of some ids. */
export const waitingFor = (ids: SQL): SQL =>
  sql`select ${ticketTaskTable.ticket_id} from ${ticketTaskTable} where ${ticketTaskTable.status} = 'todo' and ${ticketTaskTable.assignee_id} in ${ids}`;
/** Condition: a ticket waits for people of some ids. */
export const waitsFor = (ticket: AnyColumn, ids: SQL): SQL => sql`${ticket} in (${waitingFor(ids)})`;

/** If a part of a number occurs in more tickets than these, it identifies none: then it does not count as a number. */
const mostNumbered = 200;
const partOfNumber = /^(?=.*\d{4})[\w-]{4,40}$/;
/** Tickets of some modules' records whose number contains the typed text, by module, if it looks like a number. */
export async function ticketsNumberedIn(
  tx: Db,
  modules: readonly string[],
  typed: string,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const part = typed.trim();
  if (!partOfNumber.test(part) || modules.length === 0) return new Map();
  const { rows } = await tx.execute<{ module: string; id: number }>(sql`
    select asked.module, found.id from unnest(${sql.param([...modules])}::text[]) asked (module) cross join lateral (
      select ${id} from ${ticketTable} where ${ticketTable.biz_module} = asked.module and ${matches(ticketTable.search, part)} and ${contains(sn, part)}
      limit ${mostNumbered + 1}) found`);
  const found = Map.groupBy(rows, (row) => row.module);
  return new Map(
    [...found].map(([module, some]) => [module, some.length > mostNumbered ? [] : some.map((row) => row.id)]),
  );
}

/** The same for one module. */
export const ticketsNumbered = async (tx: Db, module: string, typed: string): Promise<readonly number[]> =>
  (await ticketsNumberedIn(tx, [module], typed)).get(module) ?? [];

/** Tickets as link targets. */
export const linkedTickets: LinkModule = {
  name: '工单',
  async seen(tx, user, ids) {
    const viewer = await ticketViewerFor(tx, user, undefined);
    const rows = await select(tx, and(inArray(id, [...ids]), plain, visibleTo(viewer)));
    return new Map(rows.map((row) => [row.id, cardOf(row)]));
  },
  async find(tx, user, value) {
    const viewer = await ticketViewerFor(tx, user, undefined);
    const asked = { page: 1, per_page: shown };
    const search = { column: ticketTable.search, value };
    const page = await searchedPageOf(tx, asked, search, (found) => select(tx, and(found, plain, visibleTo(viewer))), {
      by: { gmt_created: ticketTable.gmt_created },
      first: 'gmt_created',
      descending: true,
      tie: id,
      along: { gmt_created: alive },
    });
    return page.value.map(cardOf);
  },
  happened: async (tx, ids, max) =>
    (await latestActionsOf(tx, ids, max)).map(({ ticketId, ...action }) => ({ id: ticketId, ...action })),
  standing: standingOf,
};
