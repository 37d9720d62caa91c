import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { notifyPeople } from '#modules/platform/messages/service.ts';
import { holdersOf, peopleById, secretariesOf, workingAmong } from '#modules/platform/people/service.ts';
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
export interface Said {
  event: 'ACTIVITY_APPROVED' | 'ACTIVITY_CHANGE' | 'ACTIVITY_CANCEL' | 'ACTIVITY_SUMMARY' | 'ACTIVITY_SUMMARY_BACK';
  title: string;
  content: string;
  /** Whoever did it knows. */
  by: number | null;
  /** Adds to what the operation log says of it. */
  audit?: Writing['audit'];
  also?: readonly 'sms'[];
}

/** Tells people of an activity. */
export async function tellOf(
  tx: Db,
  row: Stored,
  { by, title, audit: _audit, ...said }: Said,
  to: readonly (number | null)[],
): Promise<void> {
  const people = await workingAmong(
    tx,
    [...new Set(to.flatMap((one) => one ?? []))].filter((one) => one !== by),
  );
  const about = {
    module: 'activities',
    objectId: row.id,
    webPath: `/activity/detail/${row.id}`,
    type: newsType.activity,
  };
  await notifyPeople(tx, { ...about, ...said, title: `${title}：${row.title}`, senderId: by }, people);
}
export const whenWhere = (row: Stored) =>
  `${row.start_time?.slice(0, 16)} 至 ${row.end_time?.slice(0, 16)}，${row.location}`;

/** Those of the house whom an activity concerns: who undertakes it, answers for its safety, and keeps its room. */
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
 * The one place where leaders and their secretaries are told of an activity that they attend. Their schedules follow from it: they are
 * proposed when it is approved, kept when it is changed, and withdrawn when it is cancelled.
 */
export async function tellLeaders(tx: Db, row: Stored, said: Said): Promise<void> {
  const leaders = await leadersOf(tx, row.id);
  await inSchedules(tx, row, leaders, said);
  await tellOf(tx, row, said, leaders);
  const secretaries = await secretariesOf(tx, leaders);
  const also = said.event === 'ACTIVITY_CHANGE' ? { also: ['sms' as const] } : {};
  await tellOf(
    tx,
    row,
    { ...said, ...also },
    secretaries.map((one) => one.id).filter((one) => !leaders.includes(one)),
  );
}

/** Those who look after activities for the house. */
export const officeOf = async (tx: Db) => (await holdersOf(tx, 'office_admin')).map((one) => one.id);
export const aliasOf = async (tx: Db, id: number | null) =>
  id === null ? null : ((await peopleById(tx, [id])).get(id) ?? null);
