import { and, inArray, isNull, sql } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { headsOfDocuments } from '#modules/office/documents/service.ts';
import { dateReminders } from '#modules/platform/messages/service/reminders.ts';
import { announcementOf, unread } from './giving/recalling.ts';
import { deadlineNear, distNews } from './giving/notify.ts';
import { distTable, distUserTable } from './tables.ts';

const name = 'remind of distributions';

/** Reminds those who have not read a distribution that is due within a day, or in the second half of a shorter term. */
const remindReaders = dateReminders({
  kind: distNews.DIST_UNREAD,
  days: [1],
  async due(tx, { last, now }) {
    const { deadline, gmt_created: created, recalled_at: recalled } = distTable;
    const at = now.toISOString();
    const near = await tx
      .select()
      .from(distTable)
      .where(
        and(
          isNull(recalled),
          sql`${deadline} > ${at} and ${deadline} < ${last}::date + 1
            and greatest(${deadline} - interval '24 hours', ${created} + (${deadline} - ${created}) / 2) <= ${at}`,
        ),
      )
      .orderBy(distTable.id)
      .for('share');
    const heads = await headsOfDocuments(
      tx,
      near.map((dist) => dist.document_id),
    );
    return near.map((dist) => ({ ...announcementOf(dist, heads), due: dist.deadline!.slice(0, 10) }));
  },
  async to(tx, rows) {
    const ids = rows.map((row) => row.id);
    const left = await tx
      .select({ id: distUserTable.dist_id, people: sql<number[]>`array_agg(${distUserTable.user_id})` })
      .from(distUserTable)
      .where(and(inArray(distUserTable.dist_id, ids), unread))
      .groupBy(distUserTable.dist_id);
    return new Map(left.map((row) => [row.id, row.people]));
  },
  says: (dist) => deadlineNear(dist),
});

export function distributionTask(databases: Pick<Databases, 'write'>): Task {
  return {
    name,
    title: '提醒阅读分发的公文',
    run: (_payload, { now }) => databases.write(async (tx) => void (await remindReaders(tx, now))),
  };
}
export const distributionSchedules: Schedule[] = [{ task: name, cron: '25 * * * *', catchUpHours: 12 }];
