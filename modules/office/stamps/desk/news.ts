import { eq } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { calendarOf, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { handlingsOf } from '#modules/workflow/tickets/service.ts';
import { slotText } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import { stampNews } from '../notify.ts';
import { applicationTable } from '../tables/application.ts';
import type { LineRow } from '../application/lines.ts';
import type { Stored } from '../application/record.ts';

export const applicants = (row: Pick<Stored, 'creator_id' | 'operator_id'>) => [
  ...new Set([row.creator_id, row.operator_id]),
];
/** Everybody who acted in its approval. */
export async function whoAgreed(tx: Db, ticketId: number | null): Promise<number[]> {
  if (ticketId === null) return [];
  const said = await handlingsOf(tx, ticketId);
  return [...new Set(said.flatMap((one) => (one.handled === null ? [] : [one.assignee, one.delegate ?? 0])))];
}

/** Notifies applicants and keepers that it is approved and until when that is valid. */
export async function announceReady(
  tx: Db,
  row: Stored,
  lines: readonly LineRow[],
  { by, now }: { by: number | null; now: Date },
): Promise<void> {
  const { expire_days } = (await readRules(tx, stampRules)).value;
  const until = workingDaysAfter(now, expire_days, await calendarOf(tx));
  const last = lines.map((line) => line.day ?? '').concat(row.borrow_end?.slice(0, 10) ?? '', dayOf(until));
  const due_day = last.toSorted().at(-1)!;
  await tx
    .update(applicationTable)
    .set({ ready_at: now.toISOString(), due_day })
    .where(eq(applicationTable.id, row.id));
  const where = lines
    .map((line) => `${line.stamp_name}${line.day ? `（${slotText(line.day, line.part)}）` : ''}`)
    .join('、');
  await announce(
    tx,
    stampNews.STAMP_READY,
    row,
    {
      by,
      // The last approver may also be applicant or keeper, and needs the message then, too.
      own: true,
      content: `申请已通过，请凭用印凭条到保管人处办理：${where}。${due_day} 前有效。`,
    },
    applicants(row),
  );
  for (const line of lines)
    await announce(
      tx,
      stampNews.STAMP_READY,
      row,
      {
        head: '待用印',
        by,
        own: true,
        content: `“${line.stamp_name}”有一项已通过的申请${line.day ? `，预约 ${slotText(line.day, line.part)}` : ''}。`,
        page: `/stamp/desk?id=${row.id}`,
        occasion: String(line.stamp_id),
      },
      [line.keeper],
    );
}
