import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { undecided, type Words, type Writing } from './commands.ts';
import { changeApplied, changePending, movedMeanwhile, notApproved, nothingChanged } from '../contract.ts';
import {
  isThrough,
  undoing,
  type ApprovalTable,
  type ColumnsOf,
  type Flow,
  type RecordEvent,
  type RecordViewer,
  type RowOf,
} from './definition.ts';
import { record, type ApprovalRecord } from './record.ts';

/** A table with `changeColumns()` and `record_id`, and a unique index of those that are not decided. */
export type ChangeTable = ApprovalTable &
  Record<'record_id' | 'was' | 'becomes' | 'reason' | 'is_deleted', AnyPgColumn>;
type Fields = Record<string, unknown>;

export interface ChangeDefinition<T extends ApprovalTable, C extends ChangeTable> {
  module: string;
  noun: string;
  page(id: number): string;
  table: C;
  /** Name of its unique index on `record_id` of changes that are not decided. */
  onePending: string;
  flow: Flow<RowOf<C>>;
  fills: Record<string, (change: RowOf<C>, tx: Db) => unknown>;
  /** Fields of the record that are stored in other tables: they are changed as its columns are, and written by `apply`. */
  beside?(tx: Db, row: RowOf<T>): Promise<Fields>;
  /** Checks the record as it would become. */
  faults?(
    tx: Db,
    next: RowOf<T>,
    before: RowOf<T>,
    change: RowOf<C>,
    event: Pick<RecordEvent, 'now' | 'by'>,
  ): void | FieldError[] | Promise<void | FieldError[]>;
  /** The change was sent: what it asks for is held in addition to what the record has; `next` is the record as it would become. */
  begun?(tx: Db, next: RowOf<T>, event: RecordEvent, before: RowOf<T>, change: RowOf<C>): void | Promise<void>;
  /** The change was returned or came to nothing: what it held is released. */
  dropped?(tx: Db, row: RowOf<T>, event: RecordEvent): void | Promise<void>;
  /** Columns to set besides the requested ones when the change is approved. */
  apply?(
    tx: Db,
    next: RowOf<T>,
    event: RecordEvent,
    before: RowOf<T>,
    change: RowOf<C>,
  ): ColumnsOf<T> | void | Promise<ColumnsOf<T> | void>;
  /** Follow-ups of an applied change: what the record holds is moved, people are notified. */
  after?(tx: Db, row: RowOf<T>, before: RowOf<T>, event: RecordEvent): void | Promise<void>;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Changes to an approved record: each is a record of its own with its own ticket. Until it is decided the old approval, and whatever is held by it,
 * stand; a change that is refused, withdrawn or closed leaves no trace on the record.
 */
export function changesOf<T extends ApprovalTable, V extends RecordViewer, C extends ChangeTable>(
  of: ApprovalRecord<T, V>,
  { beside, faults, begun, dropped, apply, after, onePending, ...definition }: ChangeDefinition<T, C>,
) {
  const { table } = definition;
  const { noun } = of.definition;
  type Change = RowOf<C> & { record_id: number; was: Fields; becomes: Fields; reason: string };

  async function original(tx: Db, change: RowOf<C>, lock = false): Promise<RowOf<T>> {
    const { record_id } = change as Change;
    const query = of.rows(tx, eq(of.definition.table.id, record_id));
    const [row] = await (lock ? query.for('no key update') : query);
    if (!row) throw new Error(`${of.definition.module} ${record_id} is missing`);
    return whole(tx, row);
  }
  const whole = async (tx: Db, row: RowOf<T>): Promise<RowOf<T>> => ({ ...row, ...(await beside?.(tx, row)) });
  const become = (row: RowOf<T>, change: RowOf<C>) => ({ ...row, ...(change as Change).becomes }) as RowOf<T>;
  /** Refuses if the record is no longer as the change found it. */
  function refuseMoved(row: RowOf<T>, { was }: Change): void {
    if (row.act_state !== actState.finished) throw notApproved(noun, of.stateOf(row));
    if (Object.entries(was).some(([key, value]) => !same((row as Fields)[key], value))) throw movedMeanwhile(noun);
  }

  const begins = async (tx: Db, change: RowOf<C>, event: RecordEvent) => {
    const row = await original(tx, change);
    await begun?.(tx, become(row, change), event, row, change);
  };
  const drops = async (tx: Db, change: RowOf<C>, event: RecordEvent) =>
    dropped?.(tx, await original(tx, change), event);

  of.changedBy(table);
  const changes = record<C, V>({
    ...definition,
    ...(of.definition.viewer && { viewer: of.definition.viewer }),
    // Everybody who sees a record also sees the changes asked for.
    related: (viewer, tx): SQL =>
      inArray(
        table.record_id,
        tx
          .select({ id: of.definition.table.id })
          .from(of.definition.table as PgTable)
          .where(of.visible(tx, viewer)),
      ),
    search: (change) => ({ texts: [(change as Change).reason] }),
    // The record has been changed and people were notified, so only another change can undo it.
    guard: (change) =>
      isThrough(change.act_state) ? ({ action }) => (undoing.includes(action) ? changeApplied(noun) : null) : null,
    ...(of.definition.content
      ? {
          content: async (tx, change) => ({
            ...(await of.definition.content!(tx, become(await original(tx, change), change))),
            变更原因: (change as Change).reason,
          }),
        }
      : {}),
    log: (change) => ({
      title: `${noun} ${(change as Change).record_id}`,
      facts: { ...(change as Change).becomes, 变更原因: (change as Change).reason },
    }),
    async faults(tx, change, event) {
      const row = await original(tx, change);
      refuseMoved(row, change as Change);
      return faults?.(tx, become(row, change), row, change, event);
    },
    after: {
      submitted: begins,
      resumed: begins,
      returned: drops,
      withdrawn: drops,
      closed: drops,
      deleted: drops,
      async approved(tx, change, event) {
        const before = await original(tx, change, true);
        refuseMoved(before, change as Change);
        const becomes = (change as Change).becomes as ColumnsOf<T>;
        const more = await apply?.(tx, become(before, change), event, before, change);
        const row = await of.set(tx, before, { ...becomes, ...more });
        const [was, is] = [of.definition.log(before), of.definition.log(row)];
        event.audit({ type: noun, id: row.id, title: is.title, before: was.facts, after: is.facts });
        await after?.(tx, row, before, event);
      },
    },
  });

  /** Keeps only the fields that would really change, with their present and their wanted values. */
  function differing(row: RowOf<T>, wanted: Fields): { was: Fields; becomes: Fields } {
    const keys = Object.keys(wanted).filter(
      (key) => wanted[key] !== undefined && !same((row as Fields)[key], wanted[key]),
    );
    if (keys.length === 0) throw nothingChanged();
    const pick = (from: Fields) => Object.fromEntries(keys.map((key) => [key, from[key] ?? null]));
    return { was: pick(row as Fields), becomes: pick(wanted) };
  }

  /** Asks for a change of an approved record, which the caller has read for update. */
  async function propose(
    context: Writing,
    row: RowOf<T>,
    wanted: Fields,
    reason: string,
    words: Words = {},
    more: ColumnsOf<C> = {},
  ) {
    if (row.act_state !== actState.finished) throw notApproved(noun, of.stateOf(row));
    const fields = differing(await whole(context.tx, row), wanted);
    const columns = { record_id: row.id, reason, dept_id: row.dept_id, ...fields, ...more };
    return changes
      .create(context, columns as ColumnsOf<C>, words)
      .catch(refuseOn(onePending, () => changePending(noun)));
  }

  /** Rewrites a change that is with its author, based on the record as it is now. */
  async function rewrite(
    context: Writing,
    change: RowOf<C>,
    wanted: Fields,
    reason: string,
    words: Words = {},
    more: ColumnsOf<C> = {},
  ) {
    const fields = differing(await original(context.tx, change), wanted);
    return changes.save(context, change, { reason, ...fields, ...more } as ColumnsOf<C>, words);
  }

  /** Returns the undecided changes of some records, by record. */
  async function pendingOf(tx: Db, ids: readonly number[]): Promise<Map<number, Change>> {
    if (ids.length === 0) return new Map();
    const pending = inArray(table.act_state, undecided);
    const found: readonly RowOf<C>[] = await changes.rows(
      tx,
      and(changes.alive, pending, isAmong(table.record_id, ids)),
    );
    return new Map((found as readonly Change[]).map((change) => [change.record_id, change]));
  }
  return { ...changes, propose, rewrite, pendingOf };
}
