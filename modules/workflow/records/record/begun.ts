import { and, eq, inArray, isNotNull, isNull, ne, not, or, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { Standing, Started } from '#modules/platform/started/service.ts';
import type { Once } from '#modules/platform/waits/service.ts';
import { standsBy, ticketsNumberedIn, whoStarted } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import {
  columnOf,
  standsAs,
  type ApprovalTable,
  type RecordDefinition,
  type RecordViewer,
  type RowOf,
} from './definition.ts';
import type { visibilityOf } from './visibility.ts';

/** The records that somebody started, as their list shows them under 我发起的; empty for records that have no list. */
export function startedFor<T extends ApprovalTable, V extends RecordViewer>(
  definition: RecordDefinition<T, V>,
  { alive, inCategory, reaches, rows, visible }: ReturnType<typeof visibilityOf<T, V>>,
): Started[] {
  const { table, module, noun, apart, scope, started = {}, figure } = definition;
  const page = started.page ?? scope;
  if (page === undefined) return [];
  const numbered = 'records: numbered so';
  return [
    {
      key: module,
      page,
      title: noun,
      async mine(tx, user, { words, once, among }) {
        const viewer = await viewerOf(tx, user, once);
        const ofNumber = await once(numbered, () => ticketsNumberedIn(tx, [...among], words));
        const found = or(matches(table.search, words), inArray(table.ticket_id, [...(ofNumber.get(module) ?? [])]));
        const drafted = and(isNull(table.ticket_id), eq(table.creator_id, user.id), reaches(viewer, 'Retrieve'));
        const own = started.mine
          ? and(started.mine(viewer), visible(tx, viewer))
          : or(inCategory(tx, viewer, 'owner'), drafted);
        // Once decided, an `apart` record is found only by its recipients, not by those who decided it.
        const open = apart && or(ne(table.act_state, actState.finished), visible(tx, viewer));
        const undone = definition.ticket?.unsettled?.where(tx, table.ticket_id);
        const shown = and(alive, own, open, words.trim() === '' ? undefined : found);
        return sql`select ${table.id}, ${columnOf(table, started.title ?? 'title')}, ${table.gmt_created}, ${standsBy(table.act_state, undone && not(undone))}, ${table.ticket_id}, null from ${table as PgTable} where ${shown}`;
      },
      ...(started.mine && {
        async ticketsOf(tx, user, once) {
          const viewer = await viewerOf(tx, user, once);
          const shown = and(alive, started.mine!(viewer), visible(tx, viewer), isNotNull(table.ticket_id));
          return sql`select ${table.ticket_id} from ${table as PgTable} where ${shown}`;
        },
      }),
      ...(figure && {
        async whatOf(tx, some) {
          const ids = some.map(({ id }) => id);
          const found = await rows(tx, isAmong(table.id, ids));
          return new Map(found.map((row) => [row.id, figure(row)]));
        },
      }),
      async standingOf(tx, ids) {
        if (ids.length === 0) return new Map();
        const found = await rows(tx, isAmong(table.id, ids));
        return new Map(found.map((row) => [row.id, withoutTicket(row)]));
      },
      linkOf: ({ id }) => definition.page(id),
      ...(started.copy && {
        copyOf: ({ id, stands }, user) =>
          stands !== 'draft' && holds(user, 'Create', started.copy!.page) ? started.copy!.of(id) : null,
      }),
    },
  ];

  async function viewerOf(tx: Db, user: Viewer, once: Once): Promise<V> {
    const tickets = await whoStarted(tx, user, once);
    return { user, tickets, ...(await definition.viewer?.(tx, user)) } as V;
  }

  /** The state of a record without a ticket: a draft, or approved without asking. */
  function withoutTicket(row: RowOf<T>): Standing {
    const word = definition.log(row).state ?? standsAs(row);
    const tone = row.act_state === actState.finished ? 'success' : 'default';
    return { sn: '', state: { word, tone }, step: '', who: '', stuck: false, due_at: null, news: false, runs: false };
  }
}
