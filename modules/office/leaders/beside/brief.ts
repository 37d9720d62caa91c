import { and, eq, isNull, sql } from 'drizzle-orm';
import { dayAfter, dayOf, momentText, mondayOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { awakeAmong, dateReminders, type DueRow } from '#modules/platform/messages/service/reminders.ts';
import { secretariesOf } from '#modules/platform/people/service.ts';
import { printing, printWeeks } from '../board/weeks.ts';
import { leaderRules } from '../contract/board.ts';
import { replyState, timeText } from '../contract/codes.ts';
import { during } from '../record/clash.ts';
import { hearersOf, leaderNews } from '../record/news.ts';
import { through } from '../record/visibility.ts';
import { attendTable, scheduleTable, weekTable } from '../tables.ts';
import { remindSoon } from './soon.ts';

const s = scheduleTable;
const onDay = (day: string) =>
  and(
    through,
    isNull(s.cancelled_at),
    during({ start_time: `${day} 00:00:00`, end_time: `${dayAfter(day, 1)} 00:00:00` }),
  );
/** Messages about this morning are not held up by anybody's quiet hours, from here on. */
const noon = '12:00';

type Row = DueRow & { title: string; words: string; people: number[] };
const toPeople = (_tx: Db, rows: readonly Row[]) => Promise.resolve(new Map(rows.map((row) => [row.id, row.people])));

/** Sends leaders and their secretaries the entries of today once they may be disturbed; composed on sending, so that past entries are left out. */
const brief = dateReminders<Row>({
  kind: leaderNews.LEADER_BRIEF,
  days: [0],
  async due(tx, { first, now }) {
    const rows = await tx
      .select({
        leader: attendTable.leader_id,
        alias: sql<string>`(select alias from app_user where id = ${attendTable.leader_id})`,
        title: s.title,
        address: s.address,
        start_time: s.start_time,
        end_time: s.end_time,
        all_day: s.all_day,
      })
      .from(attendTable)
      .innerJoin(s, eq(s.id, attendTable.schedule_id))
      .where(and(onDay(first), sql`${attendTable.state} < ${inSql(replyState.declines)}`))
      .orderBy(s.start_time, s.id)
      .for('share', { of: s });
    const made: Row[] = [];
    for (const [id, own] of Map.groupBy(rows, (row) => row.leader)) {
      const lines = own.map((row) => `${timeText(row)} ${row.title}${row.address ? `（${row.address}）` : ''}`);
      const people = [id, ...(await secretariesOf(tx, [id])).map((one) => one.id)];
      const awake = momentText(now).slice(11, 16) >= noon ? people : await awakeAmong(tx, people, now);
      made.push({
        id,
        due: first,
        title: `${own[0]!.alias}今日日程 ${own.length} 项`,
        words: lines.join('\n'),
        people: awake,
      });
    }
    return made;
  },
  to: toPeople,
  says: ({ title, words }) => ({ title, content: words }),
});

/** Reminds the companions and the people who prepare an entry, the evening before. */
const tomorrow = dateReminders<Row>({
  kind: leaderNews.LEADER_TOMORROW,
  days: [1],
  async due(tx, { last }) {
    const rows = await tx
      .select()
      .from(s)
      .where(and(onDay(last), sql`${s.start_time}::date = ${last}::date`))
      .orderBy(s.id)
      .for('share');
    const made: Row[] = [];
    for (const row of rows)
      made.push({
        id: row.id,
        due: last,
        title: `明日日程：${row.title}`,
        words: `${timeText(row)}${row.address ? `，${row.address}` : ''}`,
        people: await hearersOf(tx, row),
      });
    return made;
  },
  to: toPeople,
  says: ({ title, words }) => ({ title, content: words }),
});

/** Reminds the office, once, if its hour has come and the next week is not published. */
async function remindOffice(tx: Db, now: Date, publish: string): Promise<void> {
  const today = dayOf(now);
  const monday = mondayOf(today);
  const [weekday, hour] = publish.split(' ') as [string, string];
  if (today !== dayAfter(monday, Number(weekday) - 1) || momentText(now).slice(11, 16) < hour) return;
  const next = dayAfter(monday, 7);
  const [done] = await tx.select({ id: weekTable.id }).from(weekTable).where(eq(weekTable.week, next)).limit(1);
  if (done) return;
  const said = {
    title: `${next} 的一周安排待发布`,
    content: '请核对日程与冲突后发布',
    occasion: `due ${next}`,
    page: `/schedule/index?date=${next}`,
    again: 'never',
    by: null,
  } as const;
  await announce(tx, leaderNews.LEADER_WEEK, { id: 0, title: '', version: 0 }, said, [{ role: 'office_admin' }]);
}

/** Sends the morning messages, from the hour of the rules on. */
export async function remindToday(tx: Db, now: Date): Promise<void> {
  const { brief_at, publish } = (await readRules(tx, leaderRules)).value;
  const hour = momentText(now).slice(11, 16);
  if (hour >= brief_at && hour < '12:30') await brief(tx, now);
  await remindOffice(tx, now, publish);
}
export const remindTomorrow = (tx: Db, now: Date) => tomorrow(tx, now);

const often = 'tell leaders of their day';
const evening = 'remind of tomorrow’s schedules';
const minutely = 'remind of schedules that begin';
export const leaderTasks = ({ write, fresh }: Pick<Databases, 'write' | 'fresh'>): Task[] => [
  { name: often, title: '领导日程简报', run: (_payload, { now }) => write((tx) => remindToday(tx, now)) },
  {
    name: evening,
    title: '次日日程提醒',
    run: async (_payload, { now }) => void (await write((tx) => remindTomorrow(tx, now))),
  },
  {
    name: minutely,
    title: '日程开始前提醒',
    run: (_payload, { now }) => write((tx) => remindSoon(tx, now)),
  },
  { name: printing, title: '一周安排成文', run: () => printWeeks(fresh, write) },
];
export const leaderSchedules: Schedule[] = [
  { task: often, cron: '*/10 5-19 * * *', catchUpHours: 1 },
  { task: evening, cron: '0 17 * * *', catchUpHours: 3 },
  { task: minutely, cron: '* * * * *', catchUpHours: 1 },
];
