import { inSql } from '#kernel/server/db/columns.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { eq, inArray, and, sql } from 'drizzle-orm';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { newsLevel } from '#modules/platform/messages/contract.ts';
import { holdTickets } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lineState } from '../contract/codes.ts';
import { applicants } from '../desk/news.ts';
import { ofApplication, sealNews } from '../notify.ts';
import { applicationTable, lineTable, loanTable } from '../tables/application.ts';
import { linesOf, setLines, settle } from './lines.ts';
import { unreserve } from './reserve.ts';

/** Unfinished work of a seal: lines that wait for it, lines that wait for a second person, and whether it is out. */
export interface OpenOf {
  waiting: number;
  unconfirmed: number;
  out: boolean;
}

export async function openOf(tx: Db, stampId: number): Promise<OpenOf> {
  const [row] = await namedRows<OpenOf>(
    tx,
    sql`select (count(*) filter (where l.state = ${inSql(lineState.ready)} or (l.state = ${inSql(lineState.waiting)} and a.act_state = ${inSql(actState.ongoing)})))::int waiting,
        (count(*) filter (where l.pending is not null))::int unconfirmed, coalesce(bool_or(l.state = ${inSql(lineState.out)}), false) as out
      from stamp_line l join stamp_application a on a.id = l.application_id where l.stamp_id = ${stampId}`,
  );
  return row!;
}

/** Lines of seals in the given states, of applications in review or approved. */
export const openLines = (stampIds: readonly number[], states: readonly number[]) =>
  and(
    inArray(lineTable.stamp_id, [...stampIds]),
    inArray(lineTable.state, [...states]),
    sql`exists (select from stamp_application a where a.id = ${lineTable.application_id} and a.act_state in (${inSql(actState.ongoing, actState.finished)}))`,
  );

/** Locks the tickets of applications, after the seals: approving and withdrawing lock the ticket before the lines. */
export async function holdTicketsOf(tx: Db, applicationIds: readonly number[]): Promise<void> {
  const { id, ticket_id } = applicationTable;
  const of = inArray(id, [...applicationIds]);
  const rows = await tx.selectDistinct({ ticket_id }).from(applicationTable).where(of).orderBy(ticket_id);
  await holdTickets(
    tx,
    rows.flatMap(({ ticket_id }) => ticket_id ?? []),
  );
}

/**
 * Voids all lines that wait for a seal, and its loan if it is out; frees reservations and notifies the applicants with the reason. The
 * caller has locked the seal.
 */
export async function cancelLinesOf(tx: Db, stampId: number, reason: string, by: number | null): Promise<void> {
  const open = () => linesOf(tx, [], openLines([stampId], [lineState.waiting, lineState.ready, lineState.out]));
  await holdTicketsOf(
    tx,
    (await open()).map((line) => line.application_id),
  );
  const lines = await open();
  await unreserve(tx, lines);
  await tx
    .update(loanTable)
    .set({ returned_at: sql`now()`, extend_until: null })
    .where(and(eq(loanTable.stamp_id, stampId), sql`${loanTable.returned_at} is null`));
  if (lines.length === 0) return;
  await setLines(
    tx,
    lines.map((line) => line.id),
    { state: lineState.void, pending: null, reason, done_at: sql`now()` },
  );
  const rows = await tx
    .select()
    .from(applicationTable)
    .where(
      inArray(
        applicationTable.id,
        lines.map((line) => line.application_id),
      ),
    );
  for (const row of rows) {
    if (row.act_state === actState.finished) await settle(tx, row.id, houseNow());
    const said = {
      ...ofApplication(row),
      occasion: String(stampId),
      head: '用印已取消',
      content: `“${lines[0]!.stamp_name}”${reason}，申请中的这枚印章不再用印，请改用其他印章重新申请。`,
      level: newsLevel.important,
      by,
    };
    await announce(tx, sealNews.STAMP_LOST, row, said, applicants(row));
  }
}
