import { and, isNull, sql } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { timeText } from '../contract/codes.ts';
import { leaderNews, partnersOf } from '../record/news.ts';
import { through } from '../record/visibility.ts';
import { scheduleTable } from '../tables.ts';

const s = scheduleTable;

/**
 * Reminds people the chosen minutes before an entry begins; reminders missed while no node was up are sent within ten minutes. Nobody is reminded
 * of an entry that was made or changed since then, because they have just been told of it.
 */
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
            cross join lateral (select ${s.start_time} - make_interval(mins => before) as due_at) due
            where due_at between ${at} - interval '10 minutes' and ${at} and ${s.gmt_created} <= due_at
              and not exists (select from leader_change c
                where c.schedule_id = ${s.id} and c.kind in ('edit', 'source') and c.at > due_at))`,
      ),
    )
    .orderBy(s.id)
    .for('share');
  for (const row of due) {
    const left = (momentOf(row.start_time).getTime() - now.getTime()) / 60_000;
    const before = Math.min(...row.remind.filter((one) => one >= left));
    const content = `${timeText(row)}${row.address ? `，${row.address}` : ''}`;
    const said = { content, occasion: `${row.start_time}:${before}`, by: null };
    await announce(tx, leaderNews.LEADER_SOON, row, said, await partnersOf(tx, row));
  }
}
