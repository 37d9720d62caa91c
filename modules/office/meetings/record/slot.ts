import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Refusal } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { confirm } from '#modules/platform/bookings/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { holdRoom, leaveRoom, moveRoom, requireRoom, settleRoom, takeRoom } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus } from '../contract/codes.ts';
import { slotGone, tooManyThisWeek } from '../contract/refusals.ts';
import { meetTable } from '../tables.ts';

/** The module id in its bookings, files, tickets and messages. */
export const module = 'meetings';
/** The name of the meeting's own slot. */
export const own = '';
/** The name of the slot that a change asks for. */
const wanted = 'wanted';
const slotOf = (record_id: number, slot = own) => ({ module, record_id, slot });
export type At = Pick<
  typeof meetTable.$inferSelect,
  'id' | 'room_id' | 'start_time' | 'end_time' | 'creator_id' | 'title'
>;
/** The interval in which people can sign in. */
export function windowOf(
  row: Pick<typeof meetTable.$inferSelect, 'start_time' | 'end_time' | 'actual_end' | 'sign_before_min'>,
): { from: string; to: string } {
  const start = momentOf(row.start_time!).getTime();
  return { from: momentText(new Date(start - row.sign_before_min * 60_000)), to: row.actual_end ?? row.end_time! };
}
export interface By {
  user: Viewer;
  now: Date;
}
const taking = ({ room_id, start_time, end_time }: At, state: 'held' | 'confirmed') => ({
  room_id: room_id!,
  start_time: start_time!,
  end_time: end_time!,
  state,
});

const weekOf = (start: SQL) => sql`date_trunc('week', ${start})`;
/** The condition of meetings that count towards a person's weekly limit in an office; takes a lock, so that requests come one at a time. */
async function countedFor(tx: Db, creator: number, office: number): Promise<SQL> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`meet-week:${creator}`}, 0))`);
  return and(
    eq(meetTable.creator_id, creator),
    sql`${meetTable.room_id} in (select id from meet_room where office_id = ${office})`,
    inArray(meetTable.act_state, [actState.ongoing, actState.finished]),
    sql`(${meetTable.meet_status} < ${inSql(meetStatus.cancelled)} or ${meetTable.released})`,
  )!;
}

/** Refuses a meeting beyond the weekly limit per person of the room's office. */
export async function requireQuota(tx: Db, row: At): Promise<void> {
  const over = await overQuota(tx, row);
  if (over) throw over;
}

/** The same as a value: the refusal, or null. */
export async function overQuota(tx: Db, row: At): Promise<Refusal | null> {
  if (row.room_id === null) return null;
  const { office } = await requireRoom(tx, row.room_id);
  if (office.max_per_user_week === null) return null;
  const counted = await countedFor(tx, row.creator_id, office.id);
  const ofWeek = sql`${weekOf(sql`${meetTable.start_time}`)} = ${weekOf(sql`${row.start_time}::timestamptz`)}`;
  const used = await tx.$count(meetTable, and(counted, ne(meetTable.id, row.id), ofWeek));
  return used >= office.max_per_user_week ? tooManyThisWeek(office.name, office.max_per_user_week) : null;
}

/**
 * Returns which of the dates `taken`, in order of time, exceed the weekly limit per person of the office, and why. `dates` are all dates,
 * including those not taken.
 */
export async function beyondQuota(
  tx: Db,
  room_id: number,
  taken: readonly number[],
  dates: readonly { id: number }[],
): Promise<{ ids: number[]; reason: string }> {
  const { office } = await requireRoom(tx, room_id);
  const most = office.max_per_user_week;
  if (most === null || taken.length === 0) return { ids: [], reason: '' };
  const [of] = await tx.select({ by: meetTable.creator_id }).from(meetTable).where(eq(meetTable.id, taken[0]!));
  const counted = await countedFor(tx, of!.by, office.id);
  const beyond = await namedRows<{ id: number }>(
    tx,
    sql`select d.id from (select id, ${weekOf(sql`start_time`)} week, row_number() over (partition by ${weekOf(sql`start_time`)} order by start_time) no
        from meet where id = any(${sql.param([...taken])}::int[])) d
      where d.no + (select count(*) from meet where ${counted} and meet.id <> all(${sql.param(dates.map(({ id }) => id))}::int[]) and ${weekOf(sql`meet.start_time`)} = d.week) > ${most}`,
  );
  return { ids: beyond.map(({ id }) => id), reason: tooManyThisWeek(office.name, most).message };
}

/** Holds the requested room until the meeting is approved. */
export async function takeSlot(tx: Db, row: At, by: By): Promise<void> {
  if (row.room_id === null) return;
  await requireQuota(tx, row);
  await takeRoom(tx, slotOf(row.id), taking(row, 'held'), by);
}

/** Holds the slot that a change asks for, beside the meeting's own. */
export async function takeWanted(tx: Db, next: At, by: By): Promise<void> {
  await requireQuota(tx, next);
  await holdRoom(tx, slotOf(next.id, wanted), taking(next, 'held'), by);
}

/** Confirms the hold of a meeting; throws if it was lost meanwhile. */
export async function keepSlot(tx: Db, row: At): Promise<void> {
  if (row.room_id !== null && !(await confirm(tx, slotOf(row.id)))) throw slotGone(row.title);
}

/** Moves the meeting's booking to the row's time and room, if any. */
export async function moveSlot(tx: Db, row: At, by: By): Promise<void> {
  const source = slotOf(row.id);
  if (row.room_id === null) await leaveRoom(tx, source);
  else if (!(await moveRoom(tx, source, taking(row, 'confirmed'), by)))
    await takeRoom(tx, source, taking(row, 'confirmed'), by);
}

/** Makes the slot of a change the meeting's own and frees the former one. */
export const settleWanted = (tx: Db, row: At): Promise<void> =>
  settleRoom(tx, slotOf(row.id), taking(row, 'confirmed'));
/** Frees the slots held by a change; one that overlaps the meeting's own is held in two pieces, before and after it. */
export async function freeWanted(tx: Db, id: number): Promise<void> {
  for (const slot of [wanted, `${wanted}1`]) await leaveRoom(tx, slotOf(id, slot));
}

/** Frees the meeting's booking; of a meeting under way, the remaining time. */
export const freeSlot = (tx: Db, id: number, now: Date): Promise<unknown> =>
  leaveRoom(tx, { module, record_id: id }, momentText(now));

/** The creator as the acting user: the rules of rooms apply to them, whoever moves the ticket. */
export async function byCreator(tx: Db, row: Pick<At, 'creator_id'>, now: Date): Promise<By> {
  return { user: viewerOf((await personWithRights(tx, row.creator_id))!, 0), now };
}

/** Names of rooms, including deleted ones. */
export async function roomNames(tx: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> {
  const wanted = ids.flatMap((id) => id ?? []);
  const rows = await namedRows<{ id: number; name: string }>(
    tx,
    sql`select id, trim(building || ' ' || name) name from meet_room where id = any(${sql.param(wanted)}::int[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
