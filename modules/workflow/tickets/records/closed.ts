import { and, eq, inArray, isNotNull, isNull, not, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { moduleBoundTo } from '#modules/workflow/workflows/service.ts';
import { ticketTable } from '../tables.ts';
import type { TicketState } from '../engine/state.ts';
import type { Reader } from '../visibility/delegation.ts';
import { readerOf, seesMore, type TicketViewer } from '../visibility/viewer.ts';
import { opensRecordsTo } from '../visibility/visibility.ts';
import { seenRecords, type RecordRef } from './records.ts';

const { id, biz_module, biz_id } = ticketTable;
/** Tickets whose record somebody may see in its own right, whatever they see of the ticket. */
const ofSeen = async (tx: Db, { user }: TicketViewer, module: string): Promise<SQL> =>
  and(eq(biz_module, module), sql`${biz_id} in (${await seenRecords(tx, module, user)})`)!;

/** The reader of one ticket that a person sees. */
export async function readerOfOne(
  tx: Db,
  viewer: TicketViewer,
  {
    id: ticket,
    record,
    state,
  }: { id: number; record: RecordRef | null; state: Pick<TicketState, 'creator' | 'tasks'> },
): Promise<Reader> {
  const reader = readerOf(viewer);
  const { id: person } = viewer.user;
  // The creator and those it asks now need no further check: they act under its lock.
  const asked =
    state.creator === person || state.tasks.some((task) => task.assignee === person && task.status === 'todo');
  const closed = record !== null && !asked && (await closedAmong(tx, viewer, [ticket])).has(ticket);
  return closed ? { ...reader, formClosed: true } : reader;
}

/** Those of some visible tickets whose record the person does not see. `viewer` includes their named workflows. */
export async function closedAmong(tx: Db, viewer: TicketViewer, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!seesMore(viewer) || ids.length === 0) return new Set();
  const among = and(isAmong(id, ids), isNotNull(biz_module));
  const apart = await tx
    .select({ id, module: biz_module })
    .from(ticketTable)
    .where(and(among, not(opensRecordsTo(viewer)!)));
  if (apart.length === 0) return new Set();
  const modules = [...new Set(apart.map(({ module }) => module!))];
  const seen: SQL[] = [];
  // Sequential, because a connection answers one statement at a time.
  for (const module of modules) seen.push(await ofSeen(tx, viewer, module));
  const closed = await tx
    .select({ id })
    .from(ticketTable)
    .where(
      and(
        inArray(
          id,
          apart.map((one) => one.id),
        ),
        not(or(...seen)!),
      ),
    );
  return new Set(closed.map((one) => one.id));
}

/** A condition on the visible tickets of a workflow: the person may read their records too. */
export async function readable(tx: Db, viewer: TicketViewer, workflowId: number): Promise<SQL | undefined> {
  if (!seesMore(viewer)) return undefined;
  const module = await moduleBoundTo(tx, workflowId);
  return module === null
    ? isNull(biz_module)
    : or(isNull(biz_module), opensRecordsTo(viewer), await ofSeen(tx, viewer, module));
}
