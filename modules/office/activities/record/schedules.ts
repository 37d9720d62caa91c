import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { propose, withdraw } from '#modules/office/leaders/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { activityLeaderTable, type activityTable } from '../tables.ts';
import type { ActivitySaid } from './news.ts';

type Row = Pick<
  typeof activityTable.$inferSelect,
  'id' | 'version' | 'title' | 'start_time' | 'end_time' | 'location' | 'creator_id' | 'cancel_reason'
>;
const origin = { ip: '', userAgent: '', traceId: '' };

/**
 * The entries of an activity in the schedules of its leaders: proposed in the author's name on approval, moved and withdrawn with the
 * activity. The leaders' answers do not change the activity.
 */
export async function inSchedules(tx: Db, row: Row, leaders: readonly number[], said: ActivitySaid): Promise<void> {
  const { event, by, audit = () => undefined } = said;
  const source = { module: 'activities', id: row.id, path: `/activity/detail/${row.id}` };
  if (leaders.length === 0 && event === 'ACTIVITY_APPROVED') return;
  if (event === 'ACTIVITY_CANCEL' || leaders.length === 0)
    return withdraw(tx, source, row.version, { by, reason: row.cancel_reason || '活动不再请领导出席' });
  const user = viewerOf((await personWithRights(tx, row.creator_id))!, 0);
  const { version, title, location: place } = row;
  const asked = { source, version, leaders, start: row.start_time!, end: row.end_time!, title, place };
  const schedule_ref = await propose({ tx, user, now: houseNow(), origin, audit }, asked);
  const fresh = and(eq(activityLeaderTable.activity_id, row.id), isNull(activityLeaderTable.schedule_ref));
  if (schedule_ref !== null) await tx.update(activityLeaderTable).set({ schedule_ref }).where(fresh);
}
