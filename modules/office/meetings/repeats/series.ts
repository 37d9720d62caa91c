import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { RecordEvent } from '#modules/workflow/records/service.ts';
import { confirmAll } from '#modules/platform/bookings/service.ts';
import { attachAll, copyFiles } from '#modules/platform/files/service.ts';
import { datesLeft, leaveRooms, repeatFaults, repeatingOf, takeFree } from '#modules/platform/rooms/service.ts';
import { repeatWrong } from '#modules/platform/rooms/contract/refusals.ts';
import type { Repeat } from '#modules/platform/rooms/contract/repeat.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { keepForLeaders, withdrawFromLeaders } from '../acts/leaders.ts';
import { sendNotice } from '../acts/notice.ts';
import { meetStatus } from '../contract/codes.ts';
import { notFirst } from '../contract/refusals.ts';
import type { Meet } from '../record/record.ts';
import { beyondQuota, byCreator, module, type By } from '../record/slot.ts';
import { attendeeTable, guestTable, meetTable, seriesTable, topicTable } from '../tables.ts';

const m = meetTable;
/** Columns in which a date has its own values; all others are copied from the first. */
const own: readonly string[] = [
  'id',
  'gmt_created',
  'gmt_modified',
  'version',
  'is_deleted',
  'ticket_id',
  'act_state',
  'start_time',
  'end_time',
  'original_start',
  'meet_status',
  'cancel_reason',
  'released',
  'skipped',
  'actual_start',
  'actual_end',
  'checked_in_at',
  'checked_in_by',
  'keep_asked_at',
  'kept_at',
];
const shared = Object.values(getTableColumns(m)).filter(({ name }) => !own.includes(name));
/** Dates of the repeat other than the one that carries the ticket. */
const othersOf = (row: Pick<Meet, 'id' | 'series_id'>, more?: SQL) =>
  and(eq(m.series_id, row.series_id!), sql`${m.id} <> ${row.id}`, eq(m.is_deleted, false), more);

/** Writes the rule of a meeting that is with its author; null removes it. Dates are made when it is sent. */
export async function writeRepeat(tx: Db, row: Meet, repeat: Repeat | null | undefined): Promise<void> {
  if (
    !actState.is(row.act_state, actState.draft, actState.returned, actState.withdrawn) ||
    (repeat === undefined && row.series_id === null)
  )
    return;
  if (repeat === null || !row.start_time || !row.end_time) {
    await tx.update(m).set({ series_id: null, original_start: null }).where(eq(m.id, row.id));
    if (row.series_id !== null) await tx.delete(seriesTable).where(eq(seriesTable.id, row.series_id));
    return;
  }
  const first = { start_time: row.start_time, end_time: row.end_time };
  const [known] =
    row.series_id === null ? [] : await tx.select().from(seriesTable).where(eq(seriesTable.id, row.series_id));
  const repeating = repeat ? repeatingOf(repeat) : known!;
  const dates = await datesLeft(tx, repeating, first);
  const faults = repeatFaults(dates, first, repeating);
  if (faults.length > 0) throw repeatWrong(faults);
  if (dates[0]!.start_time !== first.start_time) throw notFirst(first.start_time, dates[0]!.start_time);
  const { rule, skip_holidays, left_out } = repeating;
  const written = { rule, skip_holidays, left_out: [...left_out], ...first, creator_id: row.creator_id };
  const [made] = known
    ? await tx.update(seriesTable).set(written).where(eq(seriesTable.id, known.id)).returning({ id: seriesTable.id })
    : await tx.insert(seriesTable).values(written).returning({ id: seriesTable.id });
  await tx.update(m).set({ series_id: made!.id, original_start: first.start_time }).where(eq(m.id, row.id));
}

/** Adds missing dates of a repeat, copies of the first except for the time; returns them. */
export async function addDates(
  tx: Db,
  first: Pick<Meet, 'id' | 'series_id' | 'act_state'>,
  dates: readonly { start_time: string; end_time: string }[],
): Promise<{ id: number; start_time: string; end_time: string }[]> {
  if (dates.length === 0) return [];
  const columns = sql.join(
    shared.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  const { rows } = await tx.execute<{ id: number; start_time: string; end_time: string }>(sql`
    insert into meet (${columns}, start_time, end_time, original_start, act_state)
    select ${columns}, d.start_time, d.end_time, d.start_time, ${first.act_state}
    from (select ${columns} from meet where id = ${first.id}) f
    cross join jsonb_to_recordset(${JSON.stringify(dates)}::jsonb) d(start_time timestamptz, end_time timestamptz)
    on conflict (series_id, original_start) do nothing
    returning id, start_time::text, end_time::text`);
  const made = rows.map((one) => ({
    id: one.id,
    start_time: one.start_time.slice(0, 19),
    end_time: one.end_time.slice(0, 19),
  }));
  const ids = sql.param(made.map(({ id }) => id));
  await tx.execute(sql`insert into ${topicTable} (meet_id, no, title, reporter, minutes)
    select o.id, t.no, t.title, t.reporter, t.minutes from ${topicTable} t cross join unnest(${ids}::int[]) o(id) where t.meet_id = ${first.id}`);
  await copyPapers(tx, first.id, made);
  await tx.execute(sql`insert into ${guestTable} (meet_id, name, org, mobile, mobile_mark, mobile_tail)
    select o.id, g.name, g.org, g.mobile, g.mobile_mark, g.mobile_tail from ${guestTable} g cross join unnest(${ids}::int[]) o(id)
    where g.meet_id = ${first.id}`);
  return made;
}

/** Copies the files of the first date, of the meeting and its topics, to the other dates, because a file has one owner. */
async function copyPapers(tx: Db, first: number, dates: readonly { id: number }[]): Promise<void> {
  const [of] = await tx.select({ creator: m.creator_id, materials: m.materials }).from(m).where(eq(m.id, first));
  const topics = await tx.select().from(topicTable).where(eq(topicTable.meet_id, first));
  const held = topics.filter(({ files }) => files.length > 0);
  if (of!.materials.length + held.length === 0) return;
  const user = { id: of!.creator };
  for (const { id } of dates) {
    const copied = async (fileIds: readonly number[]) => {
      const copies = await copyFiles(tx, { fileIds, module, user });
      await attachAll(tx, { fileIds: copies, module, recordId: id, user });
      return copies;
    };
    await tx
      .update(m)
      .set({ materials: await copied(of!.materials) })
      .where(eq(m.id, id));
    for (const { no, files } of held)
      await tx
        .update(topicTable)
        .set({ files: await copied(files) })
        .where(and(eq(topicTable.meet_id, id), eq(topicTable.no, no)));
  }
}

/** Books the room for dates; those that are blocked or beyond the quota are skipped with the reason. Returns the skipped ones. */
export async function bookDates(
  tx: Db,
  room_id: number | null,
  dates: readonly { id: number; start_time: string; end_time: string }[],
  state: 'held' | 'confirmed',
  by: By,
): Promise<{ id: number; reason: string }[]> {
  if (room_id === null) return [];
  const sources = dates.map(({ id, ...period }) => ({ module, record_id: id, slot: '', ...period }));
  const { taken, left } = await takeFree(tx, sources, { room_id, state }, by);
  const beyond = await beyondQuota(tx, room_id, taken, dates);
  if (beyond.ids.length > 0) await leaveRooms(tx, module, beyond.ids, momentText(by.now));
  const out = [
    ...left.map(({ record_id: id, reason }) => ({ id, reason: reason.slice(0, 200) })),
    ...beyond.ids.map((id) => ({ id, reason: beyond.reason })),
  ];
  if (out.length > 0)
    await tx.execute(sql`
      update meet set meet_status = ${meetStatus.cancelled}::int, skipped = true, cancel_reason = o.reason
      from jsonb_to_recordset(${JSON.stringify(out)}::jsonb) o(id int, reason text) where meet.id = o.id`);
  return out;
}

/** Invites the attendees of the first date to the others, without a message. */
export const inviteAlike = (tx: Db, first: number, ids: readonly number[]) =>
  tx.execute(sql`insert into ${attendeeTable} (meet_id, user_id, role, told_at)
    select o.id, t.user_id, t.role, t.told_at from ${attendeeTable} t cross join unnest(${sql.param([...ids])}::int[]) o(id)
    where t.meet_id = ${first} on conflict do nothing`);

/** Applies a step of the first date's ticket to the other dates. */
export async function seriesTurned(tx: Db, row: Meet, before: Meet, { now, by }: RecordEvent): Promise<void> {
  if (row.series_id === null || row.act_state === before.act_state) return;
  const sent = row.act_state === actState.ongoing || row.act_state === actState.finished;
  if (sent && before.act_state !== actState.ongoing) await makeDates(tx, row, now, by);
  else if (row.act_state === actState.finished) await approveDates(tx, row, by);
  if (!sent) await dropDates(tx, row, now);
}

async function makeDates(tx: Db, row: Meet, now: Date, by: number | null): Promise<void> {
  const [series] = await tx.select().from(seriesTable).where(eq(seriesTable.id, row.series_id!));
  if (!series) return;
  // A holiday may have been added since; the date that carries the ticket stays all the same.
  const dates = (await datesLeft(tx, series, series)).filter((one) => one.start_time !== series.start_time);
  const agreed = row.act_state === actState.finished;
  const made = await addDates(tx, row, dates);
  const left = await bookDates(tx, row.room_id, made, agreed ? 'confirmed' : 'held', await byCreator(tx, row, now));
  if (agreed)
    await askTo(
      tx,
      row,
      made.map(({ id }) => id).filter((id) => !left.some((one) => one.id === id)),
      by,
    );
}

/** Invites the attendees of the first date to the approved ones, with one notice for all, and puts them into the leaders' schedules. */
async function askTo(tx: Db, row: Meet, dates: readonly number[], by: number | null): Promise<void> {
  if (row.notify) await sendNotice(tx, row, by, { alike: true });
  await inviteAlike(tx, row.id, dates);
  await keepForLeaders(tx, dates, row.creator_id);
}

async function approveDates(tx: Db, row: Meet, by: number | null): Promise<void> {
  const agreed = await tx
    .update(m)
    .set({ act_state: actState.finished })
    .where(othersOf(row, eq(m.act_state, actState.ongoing)))
    .returning({ id: m.id, skipped: m.skipped });
  const held = agreed.filter((one) => !one.skipped).map(({ id }) => id);
  if (row.room_id !== null) await confirmAll(tx, { module }, held);
  await askTo(tx, row, held, by);
}

/** Deletes the other dates of a repeat that was not approved, and cancels those of one that was closed. */
async function dropDates(tx: Db, row: Meet, now: Date): Promise<void> {
  const dates = await tx
    .select({ id: m.id, act_state: m.act_state })
    .from(m)
    .where(othersOf(row, inArray(m.act_state, [actState.ongoing, actState.finished])));
  await leaveRooms(
    tx,
    module,
    dates.map(({ id }) => id),
    momentText(now),
  );
  const ids = (state: number) => dates.filter((one) => one.act_state === state).map(({ id }) => id);
  await tx.delete(m).where(inArray(m.id, ids(1)));
  const coming = and(inArray(m.id, ids(4)), eq(m.meet_status, meetStatus.coming));
  const gone = await tx
    .update(m)
    .set({
      act_state: row.act_state,
      meet_status: meetStatus.cancelled,
      cancel_reason: '审批已关闭',
      version: sql`${m.version} + 1`,
    })
    .where(coming)
    .returning();
  await withdrawFromLeaders(tx, gone, null, '审批已关闭');
}

/** True if the date was not moved alone. */
export const inStep = (row: Pick<Meet, 'start_time' | 'original_start'>) => row.start_time === row.original_start;
