import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus, signState } from '../contract/codes.ts';
import { periodText } from '../contract/refusals.ts';
import { meetings } from '../record/record.ts';
import { attendeeTable, meetTable } from '../tables.ts';
import { cancelMeeting } from '../acts/cancel.ts';
import { meetNews, placeText, toldOf } from '../acts/notice.ts';
import { absent } from './signing.ts';

const portion = 200;
/** Minutes after which a meeting that nobody ended counts as over. */
const graceMinutes = 15;
/** Days before a date of a long repeat on which its people are asked whether it is still needed, and the number of dates that makes a repeat long. */
const keepDays = 2;
const longRepeat = 8;

type Work = (tx: Db, now: Date) => Promise<number>;
const at = (now: Date) => sql`${momentText(now)}::timestamptz`;
const standing = sql`act_state = ${inSql(actState.finished)} and not is_deleted`;

/** Releases rooms without a check-in. Locks the meetings and checks again, so that somebody who signs in at this moment keeps the room. */
const release: Work = async (tx, now) => {
  const due = await meetings
    .rows(
      tx,
      sql`act_state = ${inSql(actState.finished)} and meet.meet_status in (${inSql(meetStatus.coming, meetStatus.running)}) and meet.checked_in_at is null and exists (
        select from meet_room r where r.id = meet.room_id and r.checkin_required and r.auto_release_minutes is not null
          and meet.start_time + make_interval(mins => r.auto_release_minutes) <= ${at(now)}) and meet.end_time > ${at(now)}
        and not exists (select from meet_attendee x where x.meet_id = meet.id and x.sign_state in (${inSql(signState.signed, signState.late)}))`,
    )
    .orderBy(meetTable.start_time)
    .limit(portion)
    .for('update', { of: meetTable, skipLocked: true });
  let freed = 0;
  for (const row of due) {
    const came = await tx.$count(
      attendeeTable,
      and(eq(attendeeTable.meet_id, row.id), inArray(attendeeTable.sign_state, [signState.signed, signState.late])),
    );
    if (came > 0) continue;
    const origin = { ip: '', userAgent: '', traceId: '' };
    await cancelMeeting({ tx, now, origin, user: null }, row, { reason: '未到场自动释放', released: true });
    const words = '到时间无人签到或确认到场，会议室已释放，本次会议记为未到场。';
    const people = [row.creator_id, row.host_id];
    await announce(tx, meetNews.MEET_RELEASED, row, { content: words, by: null }, people);
    freed += 1;
  }
  return freed;
};

const start: Work = async (tx, now) => {
  const { rowCount } = await tx.execute(sql`
    update meet set meet_status = ${inSql(meetStatus.running)}, actual_start = start_time, version = version + 1, gmt_modified = now()
    where id in (select id from meet where ${standing} and meet_status = ${inSql(meetStatus.coming)} and start_time <= ${at(now)} and end_time > ${at(now)}
      order by start_time limit ${portion} for update skip locked)`);
  return rowCount ?? 0;
};

/** Ends meetings a quarter of an hour after their end, or earlier when the next one in the room begins. */
const end: Work = async (tx, now) => {
  const { rows } = await tx.execute<{ id: number; recorder_id: number | null }>(sql`
    update meet set meet_status = ${inSql(meetStatus.over)}, actual_start = coalesce(actual_start, start_time), version = meet.version + 1, gmt_modified = now(),
      actual_end = greatest(meet.end_time, least(meet.end_time + make_interval(mins => ${graceMinutes}), over.next))
    from (
      select m.id, (select min(b.start_time) from booking b where b.resource = 'room' and b.resource_id = m.room_id
        and b.start_time >= m.end_time) as next
      from meet m where m.act_state = ${inSql(actState.finished)} and not m.is_deleted and m.meet_status in (${inSql(meetStatus.coming, meetStatus.running)}) and m.end_time <= ${at(now)}
        and (m.end_time + make_interval(mins => ${graceMinutes}) <= ${at(now)} or exists (
          select from booking b where b.resource = 'room' and b.resource_id = m.room_id
            and b.start_time >= m.end_time and b.start_time <= ${at(now)}))
      order by m.end_time limit ${portion} for update of m skip locked) as over
    where meet.id = over.id returning meet.id, meet.recorder_id`);
  if (rows.length === 0) return 0;
  await absent(
    tx,
    rows.map(({ id }) => id),
  );
  const minuted = rows.flatMap(({ id, recorder_id }) => (recorder_id === null ? [] : id));
  if (minuted.length > 0)
    for (const row of await meetings.rows(tx, inArray(meetTable.id, minuted)))
      await announce(tx, meetNews.MEET_DUE, row, { content: '会议已结束，请整理纪要，提交主持人确认。', by: null }, [
        row.recorder_id,
      ]);
  return rows.length;
};

/** Asks whether the next date of a long repeat is still needed. */
const askToKeep: Work = async (tx, now) => {
  const due = await meetings
    .rows(
      tx,
      and(
        sql`act_state = ${inSql(actState.finished)} and meet.meet_status = ${inSql(meetStatus.coming)} and meet.start_time > ${at(now)}
          and meet.start_time <= ${at(now)} + make_interval(days => ${keepDays})
          and (select count(*) from meet o where o.series_id = meet.series_id) >= ${longRepeat}`,
        isNull(meetTable.keep_asked_at),
        isNull(meetTable.kept_at),
      ),
    )
    .limit(portion)
    .for('update', { of: meetTable, skipLocked: true });
  for (const row of due) {
    await tx
      .update(meetTable)
      .set({ keep_asked_at: momentText(now) })
      .where(eq(meetTable.id, row.id));
    const words = '这是重复会议中的一次，请确认是否仍需使用会议室；不再需要的请取消本次，让给其他人。';
    await announce(tx, meetNews.MEET_KEEP, row, { content: words, by: null }, [row.creator_id, row.host_id]);
  }
  return due.length;
};

/** Reminds people some minutes before the start; reminders missed while no node was up are sent within ten minutes. */
const remind: Work = async (tx, now) => {
  const due = await meetings.rows(
    tx,
    sql`meet.act_state = ${inSql(actState.finished)} and meet.meet_status = ${inSql(meetStatus.coming)} and meet.start_time > ${at(now)}
      and meet.start_time <= ${at(now)} + interval '8 days' and exists (select from unnest(meet.remind) before
        where meet.start_time - make_interval(mins => before) between ${at(now)} - interval '10 minutes' and ${at(now)})`,
  );
  for (const row of due) {
    const words = `${periodText(row.start_time, row.end_time)}，${await placeText(tx, row)}。`;
    const left = (momentOf(row.start_time!).getTime() - now.getTime()) / 60_000;
    const before = row.remind.filter((one) => one >= left).toSorted((a, b) => a - b)[0];
    const occasion = `${row.start_time}:${before}`;
    await announce(tx, meetNews.MEET_REMIND, row, { content: words, occasion, by: null }, await toldOf(tx, row.id));
  }
  return 0;
};

/** Runs all timed work of meetings in portions, a transaction each, until none is left; safe on several nodes and after a stop. */
export async function passTime(databases: Databases, now: Date): Promise<void> {
  for (const work of [release, start, end, askToKeep, remind])
    while ((await databases.write((tx) => work(tx, now))) === portion);
}

const name = 'pass the time of meetings';
export const clockTask = ({ databases }: { databases: Databases }): Task => ({
  name,
  title: '开始、结束会议，释放无人到场的会议室',
  run: (_payload, { now }) => passTime(databases, now),
});
export const clockSchedules: Schedule[] = [{ task: name, cron: '* * * * *', catchUpHours: 1 }];
