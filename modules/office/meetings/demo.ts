import { and, eq, inArray, sql } from 'drizzle-orm';
import { dayOf, daysLater, momentOf, momentText, weekdayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import type { Repeat } from '#modules/platform/rooms/contract/repeat.ts';
import { roomTable, waitingTable } from '#modules/platform/rooms/tables.ts';
import { demoDesk, demoOrigin } from '#modules/workflow/tickets/demo/desk.ts';
import { cancelMeeting, displaceMeeting } from './acts/cancel.ts';
import { edit } from './acts/edit.ts';
import { answerForLeaders } from './acts/leaders.ts';
import { meetStatus, meetType, signMode, signState } from './contract/codes.ts';
import { minutesState } from './contract/minutes.ts';
import { meetChanges, meetings, type Meet } from './record/record.ts';
import { columnsOf, writeBeside } from './record/writing.ts';
import { writeRepeat } from './repeats/series.ts';
import { attendeeTable, decisionTable, meetTable, minutesTable } from './tables.ts';

const callers = ['song.mingjie', 'bai.xue', 'qin.haoyu', 'jia.shunli', 'liu.hanlin'];
const rooms = ['研讨室 301', '学术交流厅', '第二会议室', '研讨室 302', '小组讨论间'];
const titles = [
  '教研室例会',
  '课程建设研讨',
  '毕业设计中期检查',
  '实验室安全培训',
  '学生工作例会',
  '项目申报辅导',
  '招生宣传协调会',
];
interface Wanted {
  title: string;
  by?: string;
  room?: string;
  days?: number;
  from?: string;
  to?: string;
  more?: { repeat?: Repeat; [field: string]: unknown };
}

/** Four weeks of meetings by the demonstration's people, in all states, including today. */
export async function addDemoMeetings(tx: Db, now: Date): Promise<void> {
  const people = await peopleByName(tx, callers);
  const known = new Map((await tx.select().from(roomTable)).map((room) => [room.name, room.id]));
  const { person: viewer, as, decide, dateTicket } = demoDesk(tx);
  const everybody = [...people.values()].map((one) => one.id);
  const leader = people.get('liu.hanlin')!.id;

  /** Creates a meeting two days ahead and passes all its approvals. */
  async function call({
    title,
    by = callers[0]!,
    room,
    days = 0,
    from = '09:00',
    to = '10:30',
    more = {},
  }: Wanted): Promise<Meet> {
    const on = dayOf(daysLater(now, days));
    const begun = new Date(Math.min(now.getTime(), daysLater(momentOf(`${on} ${from}`), -2).getTime()));
    const user = await viewer(people.get(by)!.id);
    const input = {
      title,
      host_id: user.id,
      sign_mode: signMode.code,
      recorder_id: everybody.find((id) => id !== user.id)!,
      audience: { all: false, depts: [], roles: [], users: everybody },
      start_time: `${on} ${from}:00`,
      end_time: `${on} ${to}:00`,
      ...(room ? { room_id: known.get(room)! } : { location: '行政楼中庭' }),
      topics: [{ title: `${title}安排`, reporter: '', minutes: 30, files: [] }],
      agenda: '一、通报近期工作\n二、讨论议题\n三、安排下一步工作',
      ...more,
    };
    const { id } = await meetings.create(
      await as(user, begun),
      await columnsOf(tx, input, null),
      { submit: true },
      async (row) => {
        await writeBeside(tx, row, input, user, null);
        await writeRepeat(tx, row, more.repeat);
      },
    );
    const ticket = (await meetings.one(tx, id))!.ticket_id!;
    if (!('waits' in more)) await decide(ticket, { at: begun });
    const { rows: answered } = await tx.execute<{ meet_id: number }>(
      sql`update meet_attendee set reply = case when user_id % 4 = 0 then 0 else 1 end, reply_time = ${begun.toISOString()}
        where meet_id in (select id from meet where id = ${id} or series_id = (select series_id from meet where id = ${id}))
        returning meet_id`,
    );
    for (const one of new Set(answered.map((row) => row.meet_id)))
      await answerForLeaders(tx, one, { by: leader, at: momentText(begun), reason: '' });
    await tx.execute(sql`update meet set gmt_created = ${begun.toISOString()} where id = ${id}`);
    await dateTicket(ticket, begun);
    return (await meetings.one(tx, id))!;
  }
  const set = (row: Meet, columns: Partial<typeof meetTable.$inferInsert>) =>
    tx.update(meetTable).set(columns).where(eq(meetTable.id, row.id));
  const sign = (row: Meet, who: readonly number[]) =>
    tx
      .update(attendeeTable)
      .set({ sign_state: signState.signed, sign_time: row.start_time, sign_method: 2 })
      .where(and(eq(attendeeTable.meet_id, row.id), inArray(attendeeTable.user_id, [...who])));
  async function end(row: Meet): Promise<void> {
    await sign(row, everybody.slice(0, -1));
    await tx
      .update(attendeeTable)
      .set({ sign_state: signState.absent })
      .where(and(eq(attendeeTable.meet_id, row.id), eq(attendeeTable.user_id, everybody.at(-1)!)));
    await set(row, { meet_status: meetStatus.running, actual_start: row.start_time });
    await set(row, { meet_status: meetStatus.over, actual_end: row.end_time });
  }

  const clock = momentText(now);
  const calendar = await calendarOf(tx);
  for (let days = -14; days < 13; days += 1) {
    if (!calendar.works(dayOf(daysLater(now, days)))) continue;
    for (const at of [0, 1]) {
      const n = days + 14 + at * 3;
      const [from, to] = at === 0 ? ['09:00', '10:30'] : ['14:00', '15:30'];
      const row = await call({
        title: titles[n % titles.length]!,
        by: callers[n % callers.length]!,
        room: rooms[n % 4]!,
        days,
        from: from!,
        to: to!,
      });
      if (row.end_time! < clock) await end(row);
    }
  }
  const coming = (days: number, weekday = 2) => days + ((weekday + 7 - weekdayOf(dayOf(daysLater(now, days)))) % 7);
  // Today: one over or to come, one under way with half of the people signed in, two later.
  for (const [title, from, to, room] of [
    ['晨会', '07:30', '08:30', undefined],
    ['期末考务布置会', '15:45', '16:45', '多功能厅'],
    ['读书分享会', '19:00', '20:30', '研讨室 301'],
  ] as const) {
    const row = await call({
      title,
      from,
      to,
      by: 'bai.xue',
      ...(room && { room }),
      more: title === '读书分享会' ? { is_public: true } : {},
    });
    if (row.end_time! < clock) await end(row);
  }
  const running = await call({
    title: '校区安全联席会',
    from: '00:10',
    to: '23:50',
    // All day, so that one is under way at any hour; without the leader, whose whole day it would take.
    more: {
      sign_mode: signMode.renewedCode,
      type_id: meetType.topical,
      audience: { all: false, depts: [], roles: [], users: everybody.slice(0, -1) },
    },
  });
  await set(running, { meet_status: meetStatus.running, actual_start: running.start_time });
  await sign(running, everybody.slice(0, Math.ceil(everybody.length / 2)));

  const moved = await call({
    title: '教学工作委员会',
    room: '第一会议室',
    days: coming(3),
    more: { type_id: meetType.office },
  });
  const chief = await viewer(people.get('jia.shunli')!.id);
  const asked = await meetChanges.propose(
    await as(chief, now),
    moved,
    { start_time: moved.start_time!.replace('09:00', '14:00'), end_time: moved.end_time!.replace('10:30', '15:30') },
    '与上级检查冲突',
    { submit: true },
  );
  await dateTicket(asked.ticket_id, now);
  const waits = await call({
    title: '学院年终总结会',
    by: 'jia.shunli',
    room: '报告厅',
    days: coming(5, 4),
    more: { waits: true },
  });
  await set(waits, { requirements: '席卡、茶水' });
  const weak = await call({
    title: '部门团建讨论',
    by: 'jia.shunli',
    room: '学术交流厅',
    days: coming(4, 3),
    from: '10:45',
    to: '11:45',
    more: { type_id: meetType.other },
  });
  await displaceMeeting(await as(chief, now), weak, { reason: '为“校长办公会”让位：校务急需' });
  const empty = await call({
    title: '设备选型讨论',
    by: 'qin.haoyu',
    room: '研讨室 302',
    days: coming(2, 1),
    from: '17:00',
    to: '18:00',
  });
  await cancelMeeting({ tx, now, origin: demoOrigin, user: null }, empty, { reason: '未到场自动释放', released: true });
  const held = await call({
    title: '校长办公会',
    room: '第一会议室',
    days: (-coming(3, 4) % 7) - 1,
    from: '08:30',
    to: '09:30',
    more: { type_id: meetType.office },
  });
  await end(held);
  await tx.insert(minutesTable).values({
    meet_id: held.id,
    no: 1,
    content: '会议听取了期末工作汇报，研究了实验室改造和招生宣传事项。',
    state: minutesState.published,
    writer_id: held.recorder_id!,
    confirmed_by: held.host_id,
    published_at: held.end_time,
  });
  const due_at = momentText(daysLater(now, 20));
  await tx.insert(decisionTable).values(
    ['完成实验室用电改造方案', '印发招生宣传工作安排', '核对期末考试监考名单'].map((content, at) => ({
      meet_id: held.id,
      minutes_no: 1,
      no: at + 1,
      content,
      owner_id: everybody[at]!,
      due_at,
    })),
  );

  // Weekly, two of them over: the third an hour later, the fourth left out because the room was taken.
  const third = coming(1, 4);
  await call({ title: '新教师座谈会', by: 'bai.xue', room: '研讨室 301', days: third + 7, from: '16:00', to: '17:30' });
  const weekly = await call({
    title: '教学督导周例会',
    by: 'liu.hanlin',
    room: '研讨室 301',
    days: third - 14,
    from: '16:00',
    to: '17:00',
    more: {
      repeat: { freq: 'WEEKLY', interval: 1, days: [], count: 5, last_day: false, skip_holidays: false, left_out: [] },
    },
  });
  const dates = await tx
    .select()
    .from(meetTable)
    .where(eq(meetTable.series_id, weekly.series_id!))
    .orderBy(meetTable.start_time);
  for (const date of dates.slice(0, 2)) await end(date);
  const later = (at: string | null) => momentText(new Date(momentOf(at!).getTime() + 3_600_000));
  const { id, version, start_time, end_time } = dates[2]!;
  const times = { start_time: later(start_time), end_time: later(end_time) };
  const host = await viewer(leader);
  await edit(await as(host, now), id, { ...times, version, scope: 'this', reason: '与教研活动错开', tell: false });
  // Two people wait for the slot of the first request.
  for (const name of ['bai.xue', 'qin.haoyu'])
    await tx.insert(waitingTable).values({
      user_id: people.get(name)!.id,
      room_id: waits.room_id,
      start_time: waits.start_time!,
      end_time: waits.end_time!,
    });
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}
