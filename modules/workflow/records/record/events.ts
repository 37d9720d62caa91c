import { eq, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { codes, invalid } from '#kernel/contract/refusal.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { isRefused, isSubmitted, type RecordModule, type Turn } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import {
  isThrough,
  recordEvents,
  standsAs,
  type ApprovalTable,
  type ColumnsOf,
  type FaultsAsked,
  type On,
  type RecordDefinition,
  type RecordEvent,
  type RecordEventName,
  type RecordViewer,
  type RowOf,
  type SetsOf,
} from './definition.ts';
import type { visibilityOf } from './visibility.ts';

const { draft, ongoing, returned, withdrawn, closed } = actState;

/** Returns the record events that a ticket event means, given the record's state `before`. */
function eventsOf(before: number, turn: Turn): RecordEventName[] {
  const { act_state: now, deleted } = turn.state;
  const became = (state: number) => now === state && before !== state;
  const happened: Record<RecordEventName, boolean> = {
    submitted: isSubmitted(turn),
    approved: isThrough(now) && !isThrough(before),
    reopened: isThrough(before) && !isThrough(now) && now !== closed,
    returned: became(returned),
    withdrawn: became(withdrawn),
    resumed: became(ongoing) && before !== draft && !isSubmitted(turn),
    closed: became(closed),
    deleted,
    turned: true,
  };
  return recordEvents.filter((name) => happened[name]);
}

/** Calls the handler of an event, if there is one; only a ticket turns. */
function answered<T extends ApprovalTable, Answer>(
  on: On<T, Answer>,
  name: RecordEventName,
  tx: Db,
  row: RowOf<T>,
  event: RecordEvent,
  before: RowOf<T>,
): Answer | Promise<Answer> | undefined {
  if (name !== 'turned') return on[name]?.(tx, row, event, before);
  const { turn } = event;
  return turn ? on.turned?.(tx, row, { ...event, turn }, before) : undefined;
}

/** Applies ticket events to a record: one way for every ticket event, and for records approved without asking. */
export function eventsFor<T extends ApprovalTable, V extends RecordViewer>(
  definition: RecordDefinition<T, V>,
  {
    one,
    rows,
    viewerOf,
    visible,
  }: Pick<ReturnType<typeof visibilityOf<T, V>>, 'one' | 'rows' | 'viewerOf' | 'visible'>,
) {
  const { table, module, noun, on = {}, after = {} } = definition;

  /** Refuses if its rules forbid sending it, or the last agreement. */
  async function refuseFaults(tx: Db, row: RowOf<T>, asked: FaultsAsked): Promise<void> {
    const errors = (await definition.faults?.(tx, row, asked)) ?? [];
    if (errors.length > 0) throw invalid(errors);
  }

  /** Sets columns of a record that was read for update; returns the new row. */
  async function set(tx: Db, before: RowOf<T>, columns: SetsOf<T>, touching = true): Promise<RowOf<T>> {
    const search = searchVector(definition.search({ ...before, ...columns } as RowOf<T>));
    const touched = touching ? { version: sql`${table.version} + 1`, gmt_modified: sql`now()` } : {};
    const [row] = (await tx
      .update(table as PgTable)
      .set({ ...columns, search, ...touched })
      .where(eq(table.id, before.id))
      .returning()) as Record<string, unknown>[];
    if (!row) throw new Error(`${module} ${before.id} is missing`);
    const { search: _search, ...rest } = row;
    return rest as RowOf<T>;
  }

  /** Applies events to a record: checks, columns, follow-ups. */
  async function happen(
    tx: Db,
    before: RowOf<T>,
    names: readonly RecordEventName[],
    mirror: ColumnsOf<T>,
    event: RecordEvent,
  ): Promise<RowOf<T>> {
    let row = { ...before, ...mirror } as RowOf<T>;
    const at = (['submitted', 'approved'] as const).find((name) => names.includes(name));
    if (at) await refuseFaults(tx, row, { now: event.now, by: event.by, at });
    const columns: SetsOf<T> = { ...mirror };
    for (const name of names) {
      const sets = (await answered(on, name, tx, row, event, before)) ?? {};
      Object.assign(columns, sets);
      row = { ...row, ...sets } as RowOf<T>;
    }
    const [was, is]: readonly Record<string, unknown>[] = [before, columns];
    const moved = (key: string) => was![key] !== is![key];
    row = await set(
      tx,
      before,
      columns,
      Object.keys(columns).some((key) => !(key in mirror) && moved(key)),
    );
    if (names.includes('approved')) event.audit(standing(before, row));
    for (const name of names) await answered(after, name, tx, row, event, before);
    return row;
  }

  const stateOf = (row: RowOf<T>) => definition.log(row).state ?? standsAs(row);
  /** The entry of the operation log for a record whose state changed. */
  const standing = (before: RowOf<T>, after: RowOf<T>): Change => ({
    type: noun,
    id: after.id,
    title: definition.log(after).title,
    before: { 状态: stateOf(before) },
    after: { 状态: stateOf(after) },
  });

  /** The action's own entry in the operation log describes the ticket; this one describes the records it changed. */
  async function logApproval(tx: Db, by: number | null, changes: readonly Change[]): Promise<void> {
    const user = by === null ? null : ((await peopleById(tx, [by])).get(by) ?? null);
    const origin = { ip: '', userAgent: '', traceId: '' };
    const request = { method: '', path: '', origin, result: codes.ok, milliseconds: 0 };
    await remember(tx, { module, action: '审批通过', user, ...request, changes });
  }

  /** Returns the values that a record passes to its workflow. */
  async function says(tx: Db, row: RowOf<T>): Promise<Record<string, unknown>> {
    const fields: Record<string, unknown> = {};
    // Sequential, because a connection answers one statement at a time.
    for (const [key, of] of Object.entries(definition.fills)) {
      const value = await of(row, tx);
      if (value !== undefined) fields[key] = value;
    }
    return fields;
  }

  async function onTicketEvent(tx: Db, id: number, turn: Turn): Promise<void> {
    const before = await one(tx, id);
    const { state, ticketId, now, by, definition: workflow } = turn;
    // For a record that was sent anew, only its last ticket decides.
    if (!before || (before.ticket_id ?? 0) > ticketId) return;
    const gone = state.deleted && !table.is_deleted;
    const own = gone
      ? { ticket_id: null, act_state: draft, is_refused: false }
      : {
          ticket_id: ticketId,
          act_state: state.act_state,
          is_refused: isRefused(workflow, state),
          ...(table.is_deleted ? { is_deleted: state.deleted } : {}),
        };
    const mirror = { ...own, ...definition.mirrors?.(turn) } as ColumnsOf<T>;
    const names = eventsOf(before.act_state, turn);
    const changes: Change[] = [];
    const audit = (change: Change) => void changes.push(change);
    await happen(tx, before, names, mirror, { now, by, turn, audit });
    if (names.includes('approved')) await logApproval(tx, by, changes);
  }

  /** Its records from their tickets' point of view. */
  const tickets: RecordModule = {
    ...definition.ticket,
    name: noun,
    fills: Object.keys(definition.fills),
    uses: (tx, flow) => definition.flow.uses(tx, flow),
    async says(tx, id) {
      const row = await one(tx, id);
      return row ? says(tx, row) : {};
    },
    seen: async (tx, user) =>
      sql`select ${table.id} from ${table as PgTable} where ${visible(tx, await viewerOf(tx, user))}`,
    page: definition.page,
    ...(definition.figure
      ? {
          async figures(tx, ids) {
            const found = await rows(tx, isAmong(table.id, ids));
            return new Map(found.map((row) => [row.id, definition.figure!(row)]));
          },
        }
      : {}),
    ...(definition.content
      ? {
          async content(tx, id) {
            const row = await one(tx, id);
            return row && definition.content!(tx, row);
          },
        }
      : {}),
    ...(definition.apart ? { apart: true as const } : {}),
    ...(definition.guard
      ? {
          async guard(tx, id, flow) {
            const row = await one(tx, id);
            const held = row ? await definition.guard!(row, tx, flow) : null;
            return typeof held === 'function' ? held : () => held;
          },
        }
      : {}),
    onTicketEvent,
  };
  return { set, happen, standing, stateOf, says, tickets };
}
