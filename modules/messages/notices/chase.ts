import { sql } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { notice } from '../contract.ts';
import { notifyPeople } from '../service.ts';

export const chase = 'chase receipts';

const firstAfterHours = 24;
const times = 3;
const important = 1;

/** Asks again, once a day and three times at most, those who have not confirmed a notice that wants it. */
export function chaseTask(databases: Pick<Databases, 'write'>): Task {
  return {
    name: chase,
    title: '提醒确认通知',
    run: () =>
      databases.write(async (tx) => {
        // Held, so that whoever recalls one meanwhile finds what was asked.
        const { rows } = await tx.execute<{ id: number; title: string; people: number[] }>(sql`
          with open as (
            select id, title, publish_at from msg
            where need_receipt and recall_at is null
              and publish_at < now() - make_interval(hours => ${firstAfterHours})
              and publish_at > now() - interval '14 days' for share),
          late as (
            update msg_user r set chased = chased + 1, chased_at = now() from open m
            where m.id = r.msg_id and r.confirmed_at is null
              and r.closed_at is null and not r.is_deleted and r.chased < ${times}
              and coalesce(r.chased_at, m.publish_at) < now() - make_interval(hours => ${firstAfterHours})
            returning m.id, m.title, r.user_id)
          select id, title, array_agg(user_id) people from late group by id, title`);
        for (const { id, title, people } of rows) {
          const news = {
            title: `请确认收到：${title}`,
            content: '这条通知需要您确认收到，请打开它，点“确认收到”。',
            type: notice,
            level: important,
            webPath: `/msg?notice=${id}`,
          };
          await notifyPeople(tx, { ...news, module: 'messages', objectId: id, event: 'CHASE' }, people);
        }
      }),
  };
}
