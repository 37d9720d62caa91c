import { and, isNull, sql } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { announcementOf, unreadOf } from './giving/recalling.ts';
import { distTable } from './tables.ts';
import { deadlineNear } from './giving/notify.ts';

const name = 'remind of distributions';

/** Reminds, once each, those who have not read what is due within a day, or in the second half of a shorter time. */
export function distributionTask(databases: Pick<Databases, 'write'>): Task {
  return {
    name,
    title: '提醒阅读分发的公文',
    run: (_payload, { now }) =>
      databases.write(async (tx) => {
        const at = now.toISOString();
        const due = await tx
          .update(distTable)
          .set({ reminded_at: at })
          .where(
            and(
              isNull(distTable.reminded_at),
              isNull(distTable.recalled_at),
              sql`${distTable.deadline} > ${at} and greatest(${distTable.deadline} - interval '24 hours',
                ${distTable.gmt_created} + (${distTable.deadline} - ${distTable.gmt_created}) / 2) <= ${at}`,
            ),
          )
          .returning();
        for (const dist of due) await deadlineNear(tx, await announcementOf(tx, dist), await unreadOf(tx, dist.id));
      }),
  };
}
export const distributionSchedules: Schedule[] = [{ task: name, cron: '25 * * * *', catchUpHours: 12 }];
