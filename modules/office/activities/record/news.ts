import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, secretariesOf } from '#modules/platform/people/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { managersOf, roomsOf } from '#modules/platform/rooms/service.ts';
import { activityLeaderTable, type activityTable } from '../tables.ts';
import { inSchedules } from './schedules.ts';

type Stored = Pick<
  typeof activityTable.$inferSelect,
  | 'id'
  | 'version'
  | 'cancel_reason'
  | 'title'
  | 'start_time'
  | 'end_time'
  | 'location'
  | 'room_id'
  | 'creator_id'
  | 'undertaker'
  | 'safety_officer'
>;
/** The news of an activity. */
export const activityNews = newsKinds({
  module: 'activities',
  type: newsType.activity,
  group: '活动',
  page: (id) => `/activity/detail/${id}`,
  kinds: {
    ACTIVITY_APPROVED: { name: '我承办或出席的活动已通过', head: '活动已通过' },
    ACTIVITY_CHANGE: { name: '我承办或出席的活动有变更', head: '活动变更' },
    ACTIVITY_CANCEL: { name: '我承办或出席的活动取消', head: '活动取消' },
    ACTIVITY_SUMMARY_DUE: { name: '活动待总结', head: '活动待总结' },
    ACTIVITY_SUMMARY: { name: '收到活动总结', head: '活动总结', ways: [] },
    ACTIVITY_SUMMARY_BACK: { name: '活动总结被退回', head: '总结被退回' },
  },
});
export interface ActivitySaid {
  event: 'ACTIVITY_APPROVED' | 'ACTIVITY_CHANGE' | 'ACTIVITY_CANCEL';
  content: string;
  /** The person who acted, who needs no message. */
  by: number | null;
  /** Adds a line to the operation log. */
  audit?: Writing['audit'];
}

export const whenWhere = (row: Stored) =>
  `${row.start_time?.slice(0, 16)} 至 ${row.end_time?.slice(0, 16)}，${row.location}`;

/** The people in charge of an activity: its undertaker, its safety officer, and the keeper of its room. */
export async function officesOf(tx: Db, row: Stored): Promise<number[]> {
  const [room] = row.room_id === null ? [] : await roomsOf(tx, { ids: [row.room_id] });
  return [row.creator_id, row.undertaker, row.safety_officer, ...(room ? managersOf(room) : [])].flatMap(
    (one) => one ?? [],
  );
}
export const leadersOf = async (tx: Db, id: number): Promise<number[]> =>
  (
    await tx
      .select({ id: activityLeaderTable.user_id })
      .from(activityLeaderTable)
      .where(eq(activityLeaderTable.activity_id, id))
  ).map((row) => row.id);

/**
 * Notifies leaders and their secretaries of an activity they attend; no other function does. Their schedules follow from it: proposed on
 * approval, kept on change, withdrawn on cancellation.
 */
export async function tellLeaders(tx: Db, row: Stored, said: ActivitySaid): Promise<void> {
  const leaders = await leadersOf(tx, row.id);
  await inSchedules(tx, row, leaders, said);
  const kind = activityNews[said.event];
  const { content, by } = said;
  await announce(tx, kind, row, { content, by }, leaders);
  const also = said.event === 'ACTIVITY_CHANGE' ? { also: ['sms' as const] } : {};
  const secretaries = (await secretariesOf(tx, leaders)).map((one) => one.id);
  await announce(
    tx,
    kind,
    row,
    { content, by, ...also },
    secretaries.filter((one) => !leaders.includes(one)),
  );
}

/** The administrators of activities. */
export const office = { role: 'office_admin' } as const;
export const aliasOf = async (tx: Db, id: number | null) =>
  id === null ? null : ((await peopleById(tx, [id])).get(id) ?? null);
