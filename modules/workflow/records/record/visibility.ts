import { and, eq, getTableColumns, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { isAmong, within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { selectOf } from '#kernel/server/generic.ts';
import {
  holdTickets,
  keptRecords,
  ofTickets,
  ticketViewerFor,
  type TicketViewer,
} from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { ApprovalCategory } from '../contract.ts';
import type { ApprovalRow, ApprovalTable, ReadRow, RecordDefinition, RecordViewer, RowOf } from './definition.ts';

/** `scope`: the records that the data scope of their page reaches, and no others. */
export type RecordCategory = ApprovalCategory | 'scope';
/** The records of a category that tickets decide. */
type TicketCategory = Exclude<ApprovalCategory, 'all'>;
const isOfTickets = (category: RecordCategory | undefined): category is TicketCategory =>
  category !== undefined && category !== 'all' && category !== 'scope';

const noSuch = sql`false`;
/** Columns of a table of changes to records. */
type ChangeColumns = PgTable & Record<'record_id' | 'ticket_id' | 'is_deleted', AnyPgColumn>;

/** The visibility of records, as the one condition behind get, list, count, search, export, badges and files. */
export function visibilityOf<T extends ApprovalTable, V extends RecordViewer>(definition: RecordDefinition<T, V>) {
  const { table, scope, apart, noun } = definition;
  const shared = definition.drafts === 'scope';
  const { search: _search, ...columns } = getTableColumns(table);
  const deptName = sql<string>`coalesce((select d.name from dept d where d.id = ${table.dept_id}), '')`.as('dept_name');
  const empty = sql<string>`''`;
  const read = { ...columns, dept_name: deptName };
  const short = { ...read, ...Object.fromEntries((definition.long ?? []).map((key) => [key, empty.as(key)])) };
  const alive = table.is_deleted ? eq(table.is_deleted, false) : undefined;
  // Written as a literal, so that a prepared statement uses the index of sent records.
  const sent = sql`${table.act_state} <> ${inSql(actState.draft)}`;
  const kept = ({ user }: V) => keptRecords({ user } as TicketViewer);

  /** Adds to a person what decides which records they see. */
  async function viewerOf(tx: Db, user: Viewer, category?: RecordCategory): Promise<V> {
    // Reading by the scope alone needs no grants on tickets, like the page of all tickets.
    const asked = category === 'scope' ? 'all' : isOfTickets(category) ? category : undefined;
    const tickets = apart && !asked ? {} : { tickets: await ticketViewerFor(tx, user, asked) };
    return { user, ...tickets, ...(await definition.viewer?.(tx, user)) } as V;
  }
  const ticketsOf = async (tx: Db, viewer: V): Promise<TicketViewer> =>
    (viewer.tickets ??= await ticketViewerFor(tx, viewer.user, undefined));

  /** Records a code reaches: those of the data scope, one's own, and `besides`. */
  function reaches(viewer: V, code: PermissionCode): SQL {
    if (!scope || !holds(viewer.user, code, scope) || kept(viewer)) return noSuch;
    const own = or(eq(table.creator_id, viewer.user.id), definition.besides?.(viewer, code))!;
    const reached = within(scopeOf(viewer.user, code, scope), table.dept_id, own);
    return shared ? sql`(${reached})` : sql`(${reached} and ${sent})`;
  }

  /** True if the page reaches every sent record, so that sums over their parts need not check each record. */
  const seesAll = (viewer: V): boolean =>
    scope !== undefined &&
    holds(viewer.user, 'Retrieve', scope) &&
    !kept(viewer) &&
    scopeOf(viewer.user, 'Retrieve', scope).all;

  const changes: ChangeColumns[] = [];
  /** Records whose ticket, or the ticket of one of their changes, is in a category: changes are decided on the record's page. */
  const byTicket = (tx: Db, tickets: TicketViewer, category?: TicketCategory): SQL =>
    or(
      ofTickets(tx, table.ticket_id, tickets, category),
      ...changes.map((of) =>
        inArray(
          table.id,
          tx
            .select({ id: of.record_id })
            .from(of as PgTable)
            .where(and(eq(of.is_deleted, false), ofTickets(tx, of.ticket_id, tickets, category))),
        ),
      ),
    )!;

  const bySeenTicket = (tx: Db, viewer: V): SQL | undefined =>
    apart || !viewer.tickets ? undefined : byTicket(tx, viewer.tickets);
  // Conditions on the row itself come first, and the tickets last: to look up a row among them, all tickets that somebody sees are gathered.
  /** Records somebody takes part in or their page reaches: they see how these were handled, too. */
  const inside = (tx: Db, viewer: V): SQL => or(reaches(viewer, 'Retrieve'), bySeenTicket(tx, viewer))!;

  function visible(tx: Db, viewer: V): SQL {
    const opened = kept(viewer) ? undefined : definition.related?.(viewer, tx);
    return sql`(${and(alive, or(reaches(viewer, 'Retrieve'), opened, bySeenTicket(tx, viewer)))})`;
  }

  /** The remaining condition on records that are known to be visible to somebody by `related`. */
  const opened = (tx: Db, viewer: V): SQL | undefined => (kept(viewer) ? visible(tx, viewer) : alive);

  /** Returns which of some records somebody sees from inside. */
  async function knownOf(tx: Db, viewer: V, ids: readonly number[]): Promise<Set<number>> {
    const found = await parts(tx, and(alive, isAmong(table.id, ids), inside(tx, viewer)), 'id');
    return new Set(found.map((row) => row.id));
  }

  /** The records of a category; each category is a part of what `visible` lets a person see. */
  function inCategory(tx: Db, viewer: V, category: RecordCategory | undefined): SQL {
    if (category === 'scope') return and(alive, reaches(viewer, 'Retrieve'))!;
    if (!isOfTickets(category)) return visible(tx, viewer);
    if (!viewer.tickets) throw new Error(`the tickets of ${definition.module} were not asked for`);
    return and(alive, byTicket(tx, viewer.tickets, category))!;
  }

  const rows = (tx: Db, where: SQL | undefined, fields: typeof read | typeof short = read) =>
    selectOf<ReadRow<T>>(tx, fields, table).where(where);
  /** Only some columns that every such table has. */
  const parts = <K extends keyof ApprovalRow>(tx: Db, where: SQL | undefined, ...keys: readonly K[]) =>
    selectOf<Pick<ApprovalRow, K>>(tx, Object.fromEntries(keys.map((key) => [key, table[key]])), table).where(where);
  const one = async (tx: Db, id: number, where?: SQL): Promise<ReadRow<T> | undefined> =>
    (await rows(tx, and(eq(table.id, id), where)))[0];

  async function find(tx: Db, viewer: V, id: number): Promise<ReadRow<T> | undefined> {
    const found = await one(tx, id, visible(tx, viewer));
    if (found || !apart) return found;
    const undecided = ne(table.act_state, actState.finished);
    return one(tx, id, and(alive, undecided, byTicket(tx, await ticketsOf(tx, viewer))));
  }

  /** Returns a record that somebody may see. Any other is reported as absent, whether it exists or not. */
  async function requireVisible(tx: Db, viewer: V, id: number, what = noun): Promise<ReadRow<T>> {
    const found = await find(tx, viewer, id);
    if (!found) throw absent(what);
    return found;
  }

  /** Like `requireVisible`, but for writing: locks its ticket and then its row; with a code, it must be one that the code reaches. */
  async function requireForUpdate(
    tx: Db,
    viewer: V,
    id: number,
    code?: PermissionCode,
    what = noun,
  ): Promise<RowOf<T>> {
    const seen = code ? await one(tx, id, and(alive, reaches(viewer, code))) : await find(tx, viewer, id);
    if (!seen) throw absent(what);
    if (seen.ticket_id !== null) await holdTickets(tx, [seen.ticket_id]);
    const reached = code ? reaches(viewer, code) : undefined;
    const [row] = await rows(tx, and(eq(table.id, id), alive, reached)).for('no key update');
    if (!row) throw absent(what);
    return row;
  }

  /** True if a person may open a record, and so its files. */
  const sees = async (tx: Db, user: Viewer, id: number): Promise<boolean> =>
    (await find(tx, await viewerOf(tx, user), id)) !== undefined;

  return {
    /** Registers a table of changes to these records. */
    changedBy: (of: ChangeColumns) => void changes.push(of),
    alive,
    columns,
    short,
    viewerOf,
    ticketsOf,
    reaches,
    seesAll,
    visible,
    opened,
    inside,
    knownOf,
    inCategory,
    one,
    rows,
    parts,
    find,
    requireVisible,
    requireForUpdate,
    sees,
  };
}
