import { eq, sql } from 'drizzle-orm';
import { dayOf, daysLater } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { enter, keepMade } from '#modules/platform/files/service.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { closedOn, roomsOf } from '#modules/platform/rooms/service.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { activities as calls } from './contract/activities.ts';
import { cancel, openFor, summarise } from './record/acts.ts';
import { activities } from './record/record.ts';
import { change, columnsOf, writeBeside } from './record/writing.ts';
import { turnActivities } from './jobs.ts';

const hour = 3_600_000;
type Until = 'draft' | 'sent' | 'safety' | 'returned' | 'approved' | 'changing' | 'cancelled' | 'done' | 'over';
// Author, title, type, days from now, attendance, state to reach, further fields.
const rows: readonly [string, string, number, number, number, Until, object?][] = [
  ['qin.haoyu', '人工智能前沿讲座', 1, -70, 120, 'done', { guest: '陈立言' }],
  ['long.tianyu', '数字经济研讨会', 2, -62, 80, 'done', { guest: '沈知微' }],
  ['su.jianing', '新生军训汇演', 3, -55, 1200, 'done', {}],
  ['qin.haoyu', '程序设计竞赛颁奖', 4, -48, 150, 'done', { leaders: ['liu.hanlin'] }],
  ['long.tianyu', '校友企业招聘宣讲', 7, -41, 180, 'done', {}],
  ['su.jianing', '心理健康工作坊', 5, -34, 40, 'done', {}],
  ['qin.haoyu', '机器人社团开放日', 8, -27, 90, 'done', {}],
  ['long.tianyu', '国际商务英语角', 6, -24, 60, 'done', {}],
  ['su.jianing', '辅导员素质能力培训', 5, -18, 55, 'over', {}],
  ['qin.haoyu', '开源软件开发马拉松', 3, -4, 100, 'over', {}],
  ['long.tianyu', '金融科技讲座', 1, -3, 110, 'done', { guest: '沈知微' }],
  ['su.jianing', '校园歌手大赛', 3, 0, 190, 'approved', { location: '大学生活动中心' }],
  [
    'qin.haoyu',
    '学院学术年会',
    2,
    8,
    160,
    'approved',
    { guest: '陈立言', leaders: ['liu.hanlin', 'zhou.zhiyuan'], location: '图书馆学术厅' },
  ],
  [
    'long.tianyu',
    '产教融合论坛',
    2,
    8,
    120,
    'approved',
    { guest: '方远', leaders: ['zhou.zhiyuan'], location: '图书馆学术厅' },
  ],
  [
    'qin.haoyu',
    '中德联合实验室签约',
    6,
    18,
    60,
    'approved',
    { guest: 'Anna Keller', nationality: 'DE', leaders: ['xu.wenqing'] },
  ],
  ['su.jianing', '毕业季晚会', 3, 12, 1500, 'safety', { location: '东区体育场' }],
  [
    'long.tianyu',
    '区域经济专家座谈',
    2,
    2,
    30,
    'sent',
    { urgent_reason: '上级部门临时来校调研，行程已定', guest: '方远' },
  ],
  ['qin.haoyu', '青年教师教学比赛', 9, 17, 70, 'changing', {}],
  ['su.jianing', '社团巡礼', 8, 14, 300, 'returned', {}],
  ['long.tianyu', '企业家进课堂', 1, 9, 90, 'cancelled', { guest: '方远' }],
  ['qin.haoyu', '信息安全宣传周', 9, 13, 150, 'approved', { room: '多功能厅' }],
  ['su.jianing', '志愿服务表彰', 4, 16, 130, 'approved', { leaders: ['xu.wenqing'] }],
  ['long.tianyu', '读书分享会', 5, 20, 25, 'draft', {}],
  ['qin.haoyu', '研究生学术沙龙', 1, 11, 45, 'approved', { guest: '陈立言', room: '多功能厅' }],
];

/** Activities of three months in all states, made through the product's own commands by the demonstration's people. */
export async function addDemoActivities(tx: Db, now: Date): Promise<void> {
  const { as, decide, ticketOf, dateTicket } = demoDesk(tx);
  const plan = await keepMade(tx.services.fileStore, Buffer.from('安全预案：疏散路线、值守分工、应急联络'), {
    ext: 'txt',
    mime: 'text/plain',
  });
  for (const [username, title, type_id, from, people, until, more = {}] of rows) {
    const {
      guest,
      nationality = 'CN',
      leaders = [],
      room,
      ...said
    } = more as { guest?: string; nationality?: string; leaders?: string[]; room?: string };
    // Early enough that even the longest holidays leave the lead time; urgent ones come late.
    const ahead = nationality === 'CN' ? 16 : 28;
    const begun = daysLater(now, 'urgent_reason' in said ? -3 : Math.min(from - ahead, -3));
    const context = await as(username, begun);
    const date = dayOf(daysLater(now, from));
    const hall = room ? (await roomsOf(tx)).find((one) => one.name === room) : undefined;
    const open = hall && closedOn(hall.office.open_hours, date, await calendarOf(tx)) === null;
    const own = {
      safety_plan: await enter(
        tx,
        { ...plan, name: '安全预案.txt', thumb: null },
        { module: 'activities', uploader_id: context.user.id },
      ),
    };
    const body = calls.create.body!.parse({
      title,
      type_id,
      phone: '0591-83861080',
      content: `${title}：开场、主题报告、交流讨论。`,
      start_time: `${date} 14:00`,
      end_time: `${date} 17:00`,
      location: '第一教学楼报告厅',
      in_count: people,
      out_count: guest ? 12 : 0,
      leaders: [...(await peopleByName(tx, leaders)).values()].map((one) => one.id),
      guests: guest
        ? [
            {
              name: guest,
              org: nationality === 'CN' ? '江海大学' : 'TU Dresden',
              title: '教授',
              nationality,
              topic: title,
              background: '长期从事相关研究，与学院有合作项目',
            },
          ]
        : [],
      ...(people > 200 ? { ...own, safety_officer: context.user.id, safety_phone: '0591-83861081' } : {}),
      ...(hall && open ? { room_id: hall.id, location: '' } : {}),
      ...said,
      submit: until !== 'draft',
      confirm: true,
    });
    const seen = await activities.viewerOf(tx, context.user);
    const columns = await columnsOf(tx, body, seen, null, begun);
    const { id, ticket_id: ticket } = await activities.create(
      context,
      columns,
      { submit: body.submit },
      (row, before) => writeBeside(tx, row, body, seen, before),
    );
    await tx.execute(sql`update activity set gmt_created = ${begun.toISOString()} where id = ${id}`);
    const later = new Date(begun.getTime() + 5 * hour);
    if (until === 'returned') await decide(ticket, { at: later, refuse: '社团摊位布置与消防通道冲突，请调整方案' });
    else if (until !== 'sent' && until !== 'draft')
      await decide(ticket, { at: later, until: until === 'safety' ? 'safety' : undefined });
    await dateTicket(ticket, begun, later);
    if (until === 'cancelled') await cancel(await as(username, now), id, '主讲人行程有变');
    if (until === 'changing') {
      const asking = await as(username, now);
      const next = calls.again.body!.parse({
        reason: '与期中考试错开',
        start_time: `${date} 18:00`,
        end_time: `${date} 20:00`,
        confirm: true,
      });
      const changing = await change(asking, (await openFor(asking, id, 'change')).row, next);
      await dateTicket(changing.ticket_id, now);
    }
    const { rows: invited } = await tx.execute<{ schedule: number }>(
      sql`select distinct schedule_ref schedule from activity_leader where activity_id = ${id} and schedule_ref is not null`,
    );
    for (const { schedule } of invited) await dateTicket(await ticketOf('leaders', schedule), now);
  }
  await turnActivities(tx, now);
  const over = await activities.rows(tx, eq(activities.column('activity_status'), 2));
  for (const row of over) {
    if (rows.find(([, title]) => title === row.title)?.[5] !== 'done') continue;
    const context = await as(row.creator_id, now);
    const said = { summary: `《${row.title}》按计划举行，秩序良好，师生反馈积极。`, news_link: '', no_photos: true };
    await summarise(context, row.id, {
      ...said,
      actual_in: Math.round((row.in_count ?? 0) * 0.9),
      actual_out: row.out_count ?? 0,
      version: undefined,
    });
  }
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}
