import { eq } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { calendarOf, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { notifyPeople, type News } from '#modules/platform/messages/service.ts';
import { handlingsOf } from '#modules/workflow/tickets/service.ts';
import { slotText } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import { applicationTable } from '../tables/application.ts';
import type { LineRow } from '../application/lines.ts';
import type { Stored } from '../application/record.ts';

const stampNews = 6;
type Told = Pick<News, 'event' | 'title' | 'content'> & Partial<News>;

/** Tells people of an application, on its page. */
export const notifyOf = (tx: Db, row: { id: number; title: string }, news: Told, to: readonly number[]) =>
  notifyPeople(
    tx,
    { type: stampNews, module: 'stamps', objectId: row.id, webPath: `/stamp/detail/${row.id}`, ...news },
    to.filter((id) => id > 0),
  );
export const applicants = (row: Pick<Stored, 'creator_id' | 'operator_id'>) => [
  ...new Set([row.creator_id, row.operator_id]),
];
/** Everybody who had a say in it. */
export async function whoAgreed(tx: Db, ticketId: number | null): Promise<number[]> {
  if (ticketId === null) return [];
  const said = await handlingsOf(tx, ticketId);
  return [...new Set(said.flatMap((one) => (one.handled === null ? [] : [one.assignee, one.delegate ?? 0])))];
}

/** It is approved: how long that holds, and word to those who go to the seals and those who keep them. */
export async function notifyOfReady(tx: Db, row: Stored, lines: readonly LineRow[], now: Date): Promise<void> {
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
  await notifyOf(
    tx,
    row,
    {
      event: 'STAMP_READY',
      title: `可以用印：${row.title}`,
      content: `申请已通过，请凭用印凭条到保管人处办理：${where}。${due_day} 前有效。`,
    },
    applicants(row),
  );
  for (const line of lines)
    await notifyOf(
      tx,
      row,
      {
        event: 'STAMP_READY',
        title: `待用印：${row.title}`,
        content: `“${line.stamp_name}”有一项已通过的申请${line.day ? `，预约 ${slotText(line.day, line.part)}` : ''}。`,
        webPath: `/stamp/desk?id=${row.id}`,
        occasion: String(line.stamp_id),
      },
      [line.keeper],
    );
}
