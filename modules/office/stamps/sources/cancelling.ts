import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { endTicket } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { linesOf, settle } from '../application/lines.ts';
import { holdTicketsOf } from '../application/of-stamp.ts';
import { lineState } from '../contract/codes.ts';
import { lockStamps } from '../custody/write.ts';
import { voidLines } from '../desk/ends.ts';
import { applicants } from '../desk/news.ts';
import { countOutside } from '../ledger/recall.ts';
import { stampNews } from '../notify.ts';
import { applicationTable } from '../tables/application.ts';

/**
 * Ends the sealing of a record: voids unsealed lines of its applications and notifies the waiting people of the reason, except the one who
 * acted (`by`). Returns how many copies carry a seal.
 */
export async function cancelFor(
  tx: Db,
  { module, id }: { module: string; id: number },
  reason: string,
  { by, now }: { by: number | null; now: Date },
): Promise<number> {
  const { source_module, source_id, act_state, id: own } = applicationTable;
  const open = inArray(act_state, [actState.ongoing, actState.finished]);
  const of = and(eq(source_module, module), eq(source_id, id), open);
  const ids = (await tx.select({ id: own }).from(applicationTable).where(of)).map((row) => row.id);
  // The usual order of locks: seals, tickets, lines, applications.
  const all = await linesOf(tx, ids);
  await lockStamps(
    tx,
    all.map((line) => line.stamp_id),
  );
  await holdTicketsOf(tx, ids);
  const { waiting, ready } = lineState;
  const left = (await linesOf(tx, ids)).filter(
    (line) => (line.state === waiting || line.state === ready) && line.pending === null,
  );
  await voidLines({ tx, lines: left }, reason);
  // Approvers are no longer asked.
  for (const ticket of await underWay(tx, ids))
    await endTicket({ tx, user: null, origin: nowhere, now }, ticket, reason.slice(0, 500));
  const rows = await tx.select().from(applicationTable).where(inArray(own, ids)).orderBy(own).for('no key update');
  for (const row of rows) {
    const lines = left.filter((line) => line.application_id === row.id);
    if (lines.length === 0) continue;
    await settle(tx, row.id, now);
    const said = { content: `未用的印章不再用印：${reason}`, by };
    const keepers = row.act_state === actState.finished ? lines.map((line) => line.keeper) : [];
    await announce(tx, stampNews.STAMP_CANCELLED, row, said, [...applicants(row), ...keepers]);
  }
  return countOutside(tx, ids);
}

const nowhere = { ip: '', userAgent: '', traceId: '' };
async function underWay(tx: Db, ids: readonly number[]): Promise<number[]> {
  const { id, ticket_id, act_state } = applicationTable;
  const of = and(inArray(id, [...ids]), eq(act_state, actState.ongoing));
  const rows = await tx.select({ ticket_id }).from(applicationTable).where(of).orderBy(ticket_id);
  return rows.flatMap((row) => row.ticket_id ?? []);
}
