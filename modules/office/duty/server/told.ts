import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { dateReminders, type DueRow } from '#modules/platform/messages/service/reminders.ts';
import type { Shift } from '../contract.ts';
import { dutyPost, spanText, swapState } from '../contract/codes.ts';

export const linkOf = (id: number) => `/schedule/duty/detail/${id}`;
/** The news about shifts; each version of a shift is a new occasion. */
export const dutyNews = newsKinds({
  module: 'duty',
  type: newsType.schedule,
  group: '值班',
  page: linkOf,
  of: ({ id, version }: Pick<Shift, 'id' | 'version'>) => ({ id, occasion: `v${version}` }),
  kinds: {
    DUTY_PUBLISHED: { name: '值班表发布', head: '值班表已发布', ways: [] },
    DUTY_CHANGED: { name: '我的值班有变动', head: '值班调整' },
    DUTY_TOMORROW: { name: '明天我值班', head: '明日值班', ways: ['sms', 'push'] },
    DUTY_SWAP: { name: '换班申请与结果', head: '换班' },
    DUTY_TAKE: { name: '请我接班、值班已交接', head: '接班' },
    DUTY_LATE: { name: '值班到时未接班', head: '值班未接班', ways: ['sms', 'push'], again: 'never' },
    DUTY_URGENT: {
      name: '值班紧急情况',
      head: '值班紧急情况',
      ways: ['sms', 'push'],
      level: newsLevel.urgent,
    },
  },
});

/** Notifies both sides of swaps that this transaction made void. */
export async function tellVoid(
  tx: Db,
  shift: Shift,
  by: number,
  why = '班次已变动，如仍需换班请重新申请',
): Promise<void> {
  const { rows } = await tx.execute<{ id: number; people: number[] }>(
    sql`select id, array[from_id, with_id] people from duty_swap where state = ${inSql(swapState.lapsed)} and gmt_modified = now() and ${shift.id} in (shift_id, their_shift)`,
  );
  for (const { id, people } of rows) {
    const news = {
      title: `换班申请作废：${shift.day.slice(5)} ${shift.name}`,
      content: why,
      occasion: `void ${id}`,
      by,
    };
    await announce(tx, dutyNews.DUTY_SWAP, shift, news, people);
  }
}

type Due = DueRow & {
  day: string;
  name: string;
  start_time: string;
  end_time: string;
  phone: string;
  to: number[];
  who: string;
};
/** Reminds the person on duty the evening before, by the roster as it then stands. */
export const remindTomorrow = dateReminders<Due>({
  kind: dutyNews.DUTY_TOMORROW,
  days: [1],
  due: async (tx, { last }) =>
    (
      await tx.execute<Due & Record<string, unknown>>(sql`
        select s.id, day::text due, day::text, s.name, left(s.start_time::text, 19) start_time, left(s.end_time::text, 19) end_time, phone, d.people "to", d.who
        from duty_shift s join duty_plan p on p.id = s.plan_id cross join lateral (
          select array_agg(u.id) people, string_agg(u.alias || '（' || (${sql.param(Object.values(dutyPost.names))}::text[])[d.post] || '）', '、' order by d.post, u.sort) who
          from duty_person d join app_user u on u.id = d.user_id where d.shift_id = s.id) d
        where s.day = ${last} and published_at is not null and people is not null for share of s`)
    ).rows,
  to: (_tx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, row.to]))),
  says: (row) => ({
    title: `明日值班：${row.name}`,
    content: `${spanText(row)}，${row.who}${row.phone ? `，值班电话 ${row.phone}` : ''}`,
  }),
});

/** Notifies its people, its leader and the plan's keeper, once, if a shift is not taken over within a quarter of an hour. */
export async function tellLate(tx: Db): Promise<void> {
  const { rows } = await tx.execute<Shift & Record<string, unknown> & { to: number[]; who: string }>(sql`
    select s.id, s.day::text, s.name, s.version, left(s.start_time::text, 19) start_time, left(s.end_time::text, 19) end_time, keeper_id || d.people "to", d.who
    from duty_shift s join duty_plan p on p.id = s.plan_id cross join lateral (
      select coalesce(array_agg(u.id), '{}') people, coalesce(string_agg(u.alias, '、' order by d.post desc), ${dutyPost.label(2)} || '空缺') who
      from duty_person d join app_user u on u.id = d.user_id where d.shift_id = s.id) d
    where published_at is not null and cancelled_at is null and taken_at is null and s.start_time < now() - interval '15 minutes' and s.end_time > now() order by s.id`);
  for (const row of rows)
    await announce(
      tx,
      dutyNews.DUTY_LATE,
      row,
      {
        title: `值班未接班：${row.day.slice(5)} ${row.name}`,
        content: `${spanText(row)}，${row.who}，请尽快接班`,
        occasion: '',
        by: null,
      },
      row.to,
    );
}

const often = 'tell of shifts that nobody took over';
const evening = 'remind of duty tomorrow';
export const dutyTasks = ({ write }: Pick<Databases, 'write'>): Task[] => [
  { name: often, title: '值班接班检查', run: () => write(tellLate) },
  {
    name: evening,
    title: '次日值班提醒',
    run: async (_payload, { now }) => void (await write((tx) => remindTomorrow(tx, now))),
  },
];
export const dutySchedules: Schedule[] = [
  { task: often, cron: '*/5 * * * *', catchUpHours: 1 },
  { task: evening, cron: '0 17 * * *', catchUpHours: 3 },
];
