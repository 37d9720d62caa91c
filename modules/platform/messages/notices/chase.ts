import { sql } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { nudge } from '../service/nudges.ts';
import { messageNews } from '../service/news.ts';
import { newsOf } from '../service.ts';

export const chase = 'chase receipts';

const every = { hours: 24, times: 3 };

/** Asks those who have not confirmed a notice again, once a day and at most three times. */
export function chaseTask(databases: Pick<Databases, 'write'>): Task {
  return {
    name: chase,
    title: '提醒确认通知',
    run: () =>
      databases.write(async (tx) => {
        // Locked, so that a concurrent recall finds what was asked.
        const { rows } = await tx.execute<{ id: number; title: string; people: number[] }>(sql`
          with open as (
            select id, title from msg
            where need_receipt and recall_at is null
              and publish_at < now() - make_interval(hours => ${every.hours})
              and publish_at > now() - interval '14 days' for share)
          select open.id, open.title, array_agg(r.user_id) people from open join msg_user r on r.msg_id = open.id
          where r.confirmed_at is null and r.closed_at is null and not r.is_deleted group by 1, 2`);
        for (const { id, title, people } of rows) {
          const said = { content: '这条通知需要您确认收到，请打开它，点“确认收到”。', by: null };
          await nudge(tx, newsOf(messageNews.CHASE, { id, title }, said), people, every);
        }
      }),
  };
}
