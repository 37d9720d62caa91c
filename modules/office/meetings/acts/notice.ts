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
/** Where it is, in words. */
export async function placeText(tx: Db, row: Pick<Row, 'room_id' | 'location' | 'mode'>): Promise<string> {
  const where = (await roomNames(tx, [row.room_id])).get(row.room_id ?? 0) ?? row.location;
  return [where, row.mode === meetMode.inPlace ? '' : '线上'].filter(Boolean).join('，') || '线上';
}

/** When and where it is, in words. */
export const whenWhere = async (tx: Db, row: Row): Promise<string> =>
  `${periodText(row.start_time, row.end_time)}，${await placeText(tx, row)}`;

/** What people hear of a meeting. Told of one version, they are told of the next all the same. */
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

/** Times of several dates, each once, in their order. */
export const datesText = (rows: readonly Pick<Row, 'start_time' | 'end_time'>[]): string =>
  rows
    .toSorted((a, b) => a.start_time!.localeCompare(b.start_time!))
    .map((row) => periodText(row.start_time, row.end_time))
    .join('、');

/** When and where several dates are: the place once where it is the same, else with each of them. */
export async function datesPlaces(
  tx: Db,
  rows: readonly Pick<Row, 'start_time' | 'end_time' | 'room_id' | 'location' | 'mode'>[],
): Promise<string> {
  const placed = Map.groupBy(rows, (row) => JSON.stringify([row.room_id, row.location, row.mode]));
  const parts: string[] = [];
  for (const alike of placed.values()) parts.push(`${datesText(alike)}，${await placeText(tx, alike[0]!)}`);
  return parts.join('；');
}

/** Tells people of several dates of a repeat at once: those of the same dates hear the same, by the first of them. */
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

/** To which dates of a repeat that are to come each of some people is asked, as a notice names them; to the meeting itself where it is none. */
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

/** Those who were not told of a meeting yet, of some people where they are named; from now on they were. */
export async function markTold(tx: Db, meet_id: number, users?: readonly number[]): Promise<number[]> {
  const a = attendeeTable;
  const fresh = await tx
    .update(a)
    .set({ told_at: sql`now()` as never })
    .where(and(eq(a.meet_id, meet_id), isNull(a.told_at), users && inArray(a.user_id, [...users])))
    .returning({ id: a.user_id });
  return fresh.map(({ id }) => id);
}

/**
 * Sends the notice to those who were not told yet, of some people where they are named; answers to how many. `alike`: all dates of the repeat
 * ask whomever this one asks, though they are not written down yet.
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

/** Who was told of a meeting and counts on it: the people themselves, and who comes in their place. */
export async function toldOf(tx: Db, meet_id: number): Promise<number[]> {
  const rows = await namedRows<{ id: number }>(
    tx,
    sql`select user_id id from meet_attendee where meet_id = ${meet_id} and told_at is not null
      union select substitute_id from meet_attendee where meet_id = ${meet_id} and substitute_state < ${inSql(substituteState.declines)}`,
  );
  return rows.map(({ id }) => id);
}

/** Asks people from outside by text message, each once; the sender's quota does not pay for what the system says. */
async function textGuests(tx: Db, row: Row): Promise<void> {
  const { secretBox } = tx.services;
  const guests = await tx
    .update(guestTable)
    .set({ told_at: sql`now()` as never })
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
