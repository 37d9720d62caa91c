import { and, eq, gt, lt, ne, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { busy as busyBy } from '#modules/office/leaders/service.ts';
import { holdersOf } from '#modules/platform/people/service.ts';
import { activityLeaderTable, activityTable } from '../tables.ts';
import { isOpen } from './assess.ts';
import { activities, module, type ActivityViewer } from './record.ts';

/** Leaders who may be invited, with their engagements at a time: activities, and other entries of their schedules. */
export async function leadersWith(
  tx: Db,
  viewer: ActivityViewer,
  {
    start_time: start,
    end_time: end,
    id = 0,
  }: { start_time?: string | undefined; end_time?: string | undefined; id?: number | undefined },
) {
  const leaders = await holdersOf(tx, 'xld');
  const t = activityTable;
  const busy =
    start && end
      ? await tx
          .select({
            user_id: activityLeaderTable.user_id,
            title: t.title,
            seen: sql<boolean>`${activities.visible(tx, viewer)}`,
            start: t.start_time,
            end: t.end_time,
          })
          .from(activityLeaderTable)
          .innerJoin(t, eq(t.id, activityLeaderTable.activity_id))
          .where(
            and(
              isOpen,
              gt(t.end_time, start),
              lt(t.start_time, end),
              ne(t.id, id),
              isAmong(
                activityLeaderTable.user_id,
                leaders.map((one) => one.id),
              ),
            ),
          )
          .orderBy(t.start_time)
          .limit(200)
      : [];
  const names = leaders.map((one) => one.username);
  const besides = start && end ? await busyBy(tx, viewer.user, names, start, end, { besides: module }) : [];
  const taken = [
    ...busy.map((one) => ({ ...one, label: one.seen ? one.title : '已有活动' })),
    ...besides.map((one) => ({ ...one, user_id: leaders.find(({ username }) => username === one.leader)?.id })),
  ].toSorted((a, b) => (a.start! < b.start! ? -1 : 1));
  return leaders.map((leader) => ({
    ...leader,
    // Two entries at the same time that the viewer may not read are shown as one.
    busy: [
      ...new Set(
        taken.flatMap(({ user_id, start: from, end: to, label }) =>
          user_id === leader.id ? `${from?.slice(5, 16)}–${to?.slice(11, 16)} ${label}` : [],
        ),
      ),
    ],
  }));
}

/** The description of activities that occupy rooms; empty for a viewer who may not see them. */
export async function described(
  tx: Db,
  user: Viewer | null,
  ids: readonly number[],
): Promise<Map<number, { title: string; mine: boolean; path: string }>> {
  if (!user) return new Map();
  const visible = and(isAmong(activityTable.id, ids), activities.visible(tx, await activities.viewerOf(tx, user)));
  const rows = await tx
    .select({ id: activityTable.id, title: activityTable.title, by: activityTable.creator_id })
    .from(activityTable)
    .where(visible);
  return new Map(
    rows.map(({ id, title, by }) => [id, { title, mine: by === user.id, path: `/activity/detail/${id}` }]),
  );
}
