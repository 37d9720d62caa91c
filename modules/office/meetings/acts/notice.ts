import { inSql } from '#kernel/server/db/columns.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { newsOf, tellOf, type News } from '#modules/platform/messages/service.ts';
import { textNumbers } from '#modules/platform/sms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetMode, meetStatus, substituteState } from '../contract/codes.ts';
import { periodText } from '../contract/refusals.ts';
import { module, roomNames } from '../record/slot.ts';
import { attendeeTable, guestTable, type meetTable } from '../tables.ts';

type Row = Omit<typeof meetTable.$inferSelect, 'search'>;
/** The place in words. */
export async function placeText(tx: Db, row: Pick<Row, 'room_id' | 'location' | 'mode'>): Promise<string> {
  const where = (await roomNames(tx, [row.room_id])).get(row.room_id ?? 0) ?? row.location;
  return [where, row.mode === meetMode.inPlace ? '' : '线上'].filter(Boolean).join('，') || '线上';
}

/** Time and place in words. */
export const whenWhere = async (tx: Db, row: Row): Promise<string> =>
  `${periodText(row.start_time, row.end_time)}，${await placeText(tx, row)}`;

/** The news about meetings; each version is a new occasion. */
export const meetNews = newsKinds({
  module,
  type: newsType.meeting,
  group: '会议',
  page: (id) => `/meet/detail/${id}`,
  again: 'always',
  of: ({ id, title, version, sms }: Pick<Row, 'id' | 'title' | 'version' | 'sms'>) => ({
    id,
    title,
    occasion: String(version),
    ...(sms && { also: ['sms' as const] }),
  }),
  kinds: {
    MEET_NOTICE: { name: '会议通知', head: '会议通知', own: true },
    MEET_CHANGE: { name: '会议的时间或地点变了', head: '会议变更' },
    MEET_CANCEL: { name: '会议取消', head: '会议取消' },
    MEET_REMIND: { name: '会议即将开始', head: '会议提醒', again: 'never' },
    MEET_URGE: { name: '催回复会议通知', head: '请回复会议通知' },
    MEET_STAND_IN: { name: '请我替会', head: '请您替会' },
    MEET_REPLY: { name: '参会人员请假或替会', head: '参会回复' },
    MEET_RELEASED: { name: '会议室因无人到场被释放', head: '会议室已释放' },
    MEET_KEEP: { name: '请确认会议是否仍需召开', head: '是否仍需召开' },
    MEET_DUE: { name: '会议纪要待整理、确认', head: '纪要待整理' },
  },
});
export type MeetEvent = keyof typeof meetNews;

/** The distinct times of several dates, in order. */
export const datesText = (rows: readonly Pick<Row, 'start_time' | 'end_time'>[]): string =>
  rows
    .toSorted((a, b) => a.start_time!.localeCompare(b.start_time!))
    .map((row) => periodText(row.start_time, row.end_time))
    .join('、');

/** Times and places of several dates: a common place once, else a place with each date. */
export async function datesPlaces(
  tx: Db,
  rows: readonly Pick<Row, 'start_time' | 'end_time' | 'room_id' | 'location' | 'mode'>[],
): Promise<string> {
  const placed = Map.groupBy(rows, (row) => JSON.stringify([row.room_id, row.location, row.mode]));
  const parts: string[] = [];
  for (const alike of placed.values()) parts.push(`${datesText(alike)}，${await placeText(tx, alike[0]!)}`);
  return parts.join('；');
}

/** Sends one message about several dates of a repeat; people with the same dates get the same message, under the first date. */
export async function tellOfDates<R extends Pick<Row, 'id' | 'start_time'>>(
  tx: Db,
  dates: ReadonlyMap<number, readonly R[]>,
  says: (rows: readonly R[]) => News | Promise<News>,
): Promise<void> {
  const alike = Map.groupBy(dates, ([, rows]) =>
    rows
      .map((row) => row.id)
      .toSorted((a, b) => a - b)
      .join(),
  );
  for (const group of alike.values()) {
    const rows = group[0]![1].toSorted((a, b) => a.start_time!.localeCompare(b.start_time!));
    await tellOf(
      tx,
      await says(rows),
      group.map(([person]) => person),
    );
  }
}

type Dated = Pick<Row, 'id' | 'start_time' | 'end_time' | 'room_id' | 'location' | 'mode'>;

/** For each person, the future dates of a repeat they are invited to, as the notice lists them; of a single meeting, itself. */
async function comingFor(tx: Db, row: Row, people: readonly number[], alike: boolean): Promise<Map<number, Dated[]>> {
  const coming = new Map<number, Dated[]>(people.map((one) => [one, [row]]));
  if (row.series_id === null || people.length === 0) return coming;
  const dated = sql`m.id, left(m.start_time::text, 19) start_time, left(m.end_time::text, 19) end_time, m.room_id, m.location, m.mode`;
  const theirs = sql`m.series_id = ${row.series_id} and not m.is_deleted and m.act_state = ${inSql(actState.finished)} and m.meet_status = ${inSql(meetStatus.coming)}`;
  if (alike) {
    const rows = await namedRows<Dated>(tx, sql`select ${dated} from meet m where ${theirs} order by m.start_time`);
    return rows.length > 1 ? new Map(people.map((one) => [one, rows])) : coming;
  }
  const rows = await namedRows<Dated & { user_id: number }>(
    tx,
    sql`select t.user_id, ${dated} from meet m join meet_attendee t on t.meet_id = m.id
      where ${theirs} and t.user_id = any(${sql.param([...people])}::int[]) order by m.start_time`,
  );
  for (const [person, dates] of Map.groupBy(rows, (one) => one.user_id))
    if (dates.length > 1) coming.set(person, dates);
  return coming;
}

/** Marks people as notified, and returns those who had not been; `users` limits it to some. */
export async function markTold(tx: Db, meet_id: number, users?: readonly number[]): Promise<number[]> {
  const a = attendeeTable;
  const fresh = await tx
    .update(a)
    .set({ told_at: sql`now()` })
    .where(and(eq(a.meet_id, meet_id), isNull(a.told_at), users && inArray(a.user_id, [...users])))
    .returning({ id: a.user_id });
  return fresh.map(({ id }) => id);
}

/**
 * Sends the notice to people not notified yet (`users` limits it to some); returns how many. `alike`: all dates of the repeat have these
 * attendees, though their rows are not written yet.
 */
export async function sendNotice(
  tx: Db,
  row: Row,
  by: number | null,
  {
    users,
    content = '',
    alike = false,
  }: { users?: readonly number[] | undefined; content?: string; alike?: boolean } = {},
): Promise<number> {
  const fresh = await markTold(tx, row.id, users);
  await tellOfDates(tx, await comingFor(tx, row, fresh, alike), async (dates) => {
    const when = dates.length > 1 ? `共 ${dates.length} 次：${await datesPlaces(tx, dates)}` : await whenWhere(tx, row);
    return newsOf(meetNews.MEET_NOTICE, row, { content: `${when}。请回复能否参加。${content}`, by });
  });
  if (row.sms && !users) await textGuests(tx, row);
  return fresh.length;
}

/** People who were notified of a meeting and are expected: the attendees, and their substitutes. */
export async function toldOf(tx: Db, meet_id: number): Promise<number[]> {
  const rows = await namedRows<{ id: number }>(
    tx,
    sql`select user_id id from meet_attendee where meet_id = ${meet_id} and told_at is not null
      union select substitute_id from meet_attendee where meet_id = ${meet_id} and substitute_state < ${inSql(substituteState.declines)}`,
  );
  return rows.map(({ id }) => id);
}

/** Invites guests by text message, each once, without using the sender's quota. */
async function textGuests(tx: Db, row: Row): Promise<void> {
  const { secretBox } = tx.services;
  const guests = await tx
    .update(guestTable)
    .set({ told_at: sql`now()` })
    .where(and(eq(guestTable.meet_id, row.id), isNull(guestTable.told_at), isNotNull(guestTable.mobile)))
    .returning({ name: guestTable.name, mobile: guestTable.mobile });
  const to = guests.flatMap(({ name, mobile }) => {
    const number = mobile === null ? null : secretBox.open(mobile);
    return number ? [{ name, mobile: number }] : [];
  });
  const params = { title: row.title, time: periodText(row.start_time, row.end_time), place: await placeText(tx, row) };
  const about = { template: 'meet_notice', to, params, module, objectId: row.id };
  if (to.length > 0) await textNumbers(tx, about, tx.services, houseNow());
}
