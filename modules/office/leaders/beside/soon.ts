import { and, isNull, sql } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { timeText } from '../contract/codes.ts';
import { hearersOf, leaderNews } from '../record/news.ts';
import { through } from '../record/visibility.ts';
import { scheduleTable } from '../tables.ts';

const s = scheduleTable;

/** Reminds people the chosen minutes before an entry begins; reminders missed while no node was up are sent within ten minutes. */
export async function remindSoon(tx: Db, now: Date): Promise<void> {
  const at = sql`${momentText(now)}::timestamptz`;
  const due = await tx
    .select()
    .from(s)
    .where(
      and(
        through,
        isNull(s.cancelled_at),
        sql`not ${s.all_day} and ${s.start_time} > ${at} and ${s.start_time} <= ${at} + interval '8 days'
          and exists (select from unnest(${s.remind}) before
            where ${s.start_time} - make_interval(mins => before) between ${at} - interval '10 minutes' and ${at})`,
      ),
    )
    .orderBy(s.id)
    .for('share');
  for (const row of due) {
    const left = (momentOf(row.start_time).getTime() - now.getTime()) / 60_000;
    const before = Math.min(...row.remind.filter((one) => one >= left));
    const content = `${timeText(row)}${row.address ? `，${row.address}` : ''}`;
    const said = { content, occasion: `${row.start_time}:${before}`, by: null };
    await announce(tx, leaderNews.LEADER_SOON, row, said, await hearersOf(tx, row));
  }
}
