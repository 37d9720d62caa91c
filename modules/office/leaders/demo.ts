import { sql } from 'drizzle-orm';
import { dayAfter, dayOf, mondayOf } from '#kernel/contract/moment.ts';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { saveRules } from '#kernel/server/rules/rules.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { publish } from './board/weeks.ts';
import { leaderRules } from './contract/board.ts';
import { attendType, scheduleType, usualReminders, visibleTo } from './contract/codes.ts';
import { edit } from './record/actions.ts';
import { schedules } from './record/record.ts';
import { columnsOf, writeBeside, type Written } from './record/writing.ts';
import { searchOf } from './beside/places.ts';
import { addressTable } from './tables.ts';

const sides = {
  'zhou.zhiyuan': 'lin.xiaoyue',
  'xu.wenqing': 'he.jing',
  'liu.hanlin': 'sun.meiqi',
  'gao.jianjun': 'tang.yuting',
};
const names = Object.keys(sides) as (keyof typeof sides)[];
const office = 'zhao.yan';
const matters = [
  ['校长办公会', '行政楼 301', 1],
  ['听取教务工作汇报', '行政楼 305', 2],
  ['实验室安全检查', '理科楼', 4],
  ['会见合作企业代表', '贵宾厅', 5],
  ['学术委员会会议', '图书馆报告厅', 2],
  ['青年教师座谈会', '教工之家', 3],
  ['东校区基建现场办公', '东校区项目部', 4],
  ['理论学习中心组学习', '行政楼 201', 7],
  ['毕业生就业工作推进会', '学生活动中心', 1],
  ['专题党课', '大礼堂', 3],
] as const;
const hours = [
  ['08:30', '10:00'],
  ['10:10', '11:40'],
  ['14:00', '15:30'],
  ['15:40', '17:00'],
  ['19:00', '20:30'],
] as const;

/** Eight weeks of four leaders, written by their secretaries and departments; this week and the next are published and changed since. */
export async function addDemoSchedules(tx: Db, now: Date): Promise<void> {
  const chance = chanceOf(11);
  const monday = mondayOf(dayOf(now));
  const { as, decide, dateTicket } = demoDesk(tx);
  const desk = (who: string | number) => as(who, now);
  await saveRules(tx, leaderRules, { main_leaders: ['zhou.zhiyuan'] }, () => undefined);
  await tx
    .insert(addressTable)
    .values(
      ['主校区', '东校区'].flatMap((campus) =>
        matters
          .filter(([, place]) => place.startsWith('东') === (campus === '东校区'))
          .map(([, name]) => ({ name, campus, search: searchOf(name) })),
      ),
    );
  const write = async (who: string, input: Written, until = '') => {
    const context = await desk(who);
    const viewer = await schedules.viewerOf(tx, context.user);
    const made = await schedules.create(
      context,
      await columnsOf(tx, input, viewer, null),
      { submit: until !== 'draft' },
      (row) => writeBeside(tx, row, input, viewer, null).then(() => undefined),
    );
    if (until !== 'draft') await decide(made.ticket_id, { at: now, until: until || undefined });
    await dateTicket(made.ticket_id, now);
    return made.id!;
  };
  const entry = (leaders: string[], day: string, slot: number, more: Written = {}): Written => {
    const [title, address, attend_type] = chance.pick(matters);
    const [from, to] = hours[slot]!;
    return {
      leaders,
      title,
      address,
      attend_type,
      all_day: false,
      visibility: chance.happens(0.2) ? visibleTo.leaders : visibleTo.everybody,
      start_time: `${day} ${from}`,
      end_time: `${day} ${to}`,
      type_id: scheduleType.usual,
      remind: usualReminders,
      ...more,
    };
  };
  const nextWeek: { id: number; who: string }[] = [];
  for (let week = -3; week <= 4; week++)
    for (const leader of names)
      for (const day of [0, 2, 3]) {
        const id = await write(
          sides[leader],
          entry([leader], dayAfter(monday, week * 7 + day), chance.between(0, 3), { force: true }),
        );
        if (week === 1) nextWeek.push({ id, who: sides[leader] });
      }
  for (let week = -3; week <= 4; week++)
    await write(sides['zhou.zhiyuan'], {
      ...entry(['zhou.zhiyuan'], dayAfter(monday, week * 7 + 1), 4),
      title: '体检与康复',
      address: '校医院',
      visibility: visibleTo.own,
      force: true,
    });
  await write(sides['xu.wenqing'], entry(['xu.wenqing'], dayAfter(monday, 4), 0));
  await write(office, {
    ...entry([...names], dayAfter(monday, 4), 0),
    title: '全校干部大会',
    address: '大礼堂',
    attend_type: attendType.attends,
    force: true,
  });
  for (const [index, until] of ['head', 'office', 'side', 'side', '', 'draft'].entries())
    await write(
      'chen.guodong',
      {
        ...entry(['liu.hanlin'], dayAfter(monday, [8, 11, 12, 15, 18, 19][index]!), 2),
        visibility: visibleTo.everybody,
      },
      until,
    );
  const trip: Written = {
    type_id: scheduleType.trip,
    title: '赴省城参加高校工作会议',
    address: '省城',
    all_day: false,
    visibility: visibleTo.everybody,
    approvers: ['zhou.zhiyuan'],
  };
  const times = (from: number, to: number) => ({
    start_time: `${dayAfter(monday, from)} 07:30`,
    end_time: `${dayAfter(monday, to)} 21:00`,
  });
  await write(sides['gao.jianjun'], { ...trip, leaders: ['gao.jianjun'], ...times(5, 6), acting: 'xu.wenqing' });
  await write(
    sides['liu.hanlin'],
    {
      ...trip,
      leaders: ['liu.hanlin'],
      title: '赴兄弟院校调研',
      ...times(33, 34),
      acting: 'gao.jianjun',
      approvers: ['zhou.zhiyuan'],
    },
    'leader',
  );
  for (const date of [monday, dayAfter(monday, 7)])
    await publish(await desk(office), { date, version: 0, force: true, sms: false });
  const ahead = nextWeek.slice(-3);
  for (const [index, { id, who }] of ahead.entries())
    await edit(
      await desk(who),
      id,
      index === 0
        ? { address: '行政楼 302' }
        : {
            start_time: `${dayAfter(monday, 13)} ${hours[index]![0]}`,
            end_time: `${dayAfter(monday, 13)} ${hours[index]![1]}`,
          },
    );
  await tx.execute(sql`update leader_schedule set gmt_created = ${now.toISOString()}`);
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}
