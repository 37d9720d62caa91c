import { and, between, eq, sql } from 'drizzle-orm';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { mostEntries, type Feeds } from '#modules/platform/feeds/service.ts';
import { dateReminders } from '#modules/platform/messages/service/reminders.ts';
import { partsOfEach } from '#modules/platform/people/service.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatus } from './contract/codes.ts';
import { activityRules } from './contract/rules.ts';
import { activityNews } from './record/news.ts';
import { activities } from './record/record.ts';
import { activityTable } from './tables.ts';

const t = activityTable;
const open = sql`${t.act_state} = ${inSql(actState.finished)} and ${t.activity_status} in (${inSql(activityStatus.coming, activityStatus.running)}) and not ${t.is_deleted}`;

/** Starts activities that have begun and sets those that are over to 待总结. Idempotent, and safe on several nodes. */
export async function turnActivities(tx: Db, now: Date): Promise<void> {
  const { value: rule } = await readRules(tx, activityRules);
  const touched = { version: sql`${t.version} + 1`, gmt_modified: sql`now()` };
  const due = sql`(${t.end_time})::date + ${rule.summary_days}::int`;
  const at = sql`${now.toISOString()}::timestamptz`;
  await tx
    .update(t)
    .set({ ...touched, activity_status: activityStatus.toSummarise, summary_due: due })
    .where(and(open, sql`${t.end_time} <= ${at}`));
  await tx
    .update(t)
    .set({ ...touched, activity_status: activityStatus.running })
    .where(and(open, eq(t.activity_status, activityStatus.coming), sql`${t.start_time} <= ${at}`));
}

/** Days before the summary is due, and weeks after it. */
const days = [6, 2, 0, ...Array.from({ length: 52 }, (_one, week) => -7 * (week + 1))];
interface Due {
  id: number;
  due: string;
  title: string;
  people: number[];
  dept_id: number | null;
}
export const remindOfSummaries = (db: Db, now: Date): Promise<number> =>
  dateReminders<Due>({
    kind: activityNews.ACTIVITY_SUMMARY_DUE,
    days,
    due: (tx, { first, last }) =>
      tx
        .select({
          id: t.id,
          due: sql<string>`${t.summary_due}`,
          title: t.title,
          people: sql<number[]>`array[${t.undertaker}, ${t.creator_id}]`,
          dept_id: t.dept_id,
        })
        .from(t)
        .where(and(eq(t.activity_status, activityStatus.toSummarise), between(t.summary_due, first, last)))
        .orderBy(t.id)
        .for('share'),
    async to(tx, rows) {
      // After a week the head of the department is notified, too.
      const lateDept = ({ due, dept_id }: Due) => (due < dayAfter(dayOf(now), -6) && dept_id !== null ? [dept_id] : []);
      const { heads } = await partsOfEach(tx, rows.flatMap(lateDept));
      return new Map(rows.map((row) => [row.id, [...new Set([...row.people, ...lateDept(row).flatMap(heads)])]]));
    },
    says: (row, left) => ({
      title: `${left < 0 ? '活动总结逾期' : '活动待总结'}：${row.title}`,
      content: `请在 ${row.due} 前提交《${row.title}》的总结和实到人数。`,
    }),
  })(db, now);

const turning = 'turn activities';
const reminding = 'remind of activities';
export const activityTasks = (databases: Pick<Databases, 'write'>): Task[] => [
  {
    name: turning,
    title: '活动开始与结束',
    run: (_payload, { now }) => databases.write((tx) => turnActivities(tx, now)),
  },
  {
    name: reminding,
    title: '活动总结提醒',
    run: async (_payload, { now }) => void (await databases.write((tx) => remindOfSummaries(tx, now))),
  },
];
export const activitySchedules: Schedule[] = [
  { task: turning, cron: '* * * * *', catchUpHours: 1 },
  { task: reminding, cron: '0 9 * * *', catchUpHours: 12 },
];

/** 待总结: activities that the person undertook and has not summed up yet. */
const toSummarise = sql`from ${t} where ${t.activity_status} = ${inSql(activityStatus.toSummarise)}`;
const until = sql`(${t.summary_due} + time '23:59:59')::timestamptz`;
export const activityWaits: Waits = {
  key: 'activity',
  page: 'activity/list',
  path: `/activity/list?category=all&activity_status=${activityStatus.toSummarise}`,
  title: '活动待总结',
  mine: async (_tx, { id }) =>
    sql`select ${t.id}, ${t.title}, ${until}, null::text, ${t.back_at}, null::int ${toSummarise} and ${t.undertaker} = ${id}`,
  everybodys: async () => sql`select ${t.undertaker}, ${until} ${toSummarise}`,
  linkOf: (row) => `/activity/detail/${row.id}`,
};

/** Activities that a person undertakes or attends, for their own calendar. */
export const activityFeeds: Feeds = {
  activities: {
    name: '活动',
    async entries(tx, { id }, from, to) {
      const mine = sql`(${id} in (${t.creator_id}, ${t.undertaker}, ${t.safety_officer})
        or exists (select from activity_leader l where l.activity_id = ${t.id} and l.user_id = ${id}))`;
      const rows = await tx
        .select(activities.columns)
        .from(t)
        .where(
          and(
            eq(t.act_state, actState.finished),
            mine,
            sql`${t.end_time} >= ${from} and ${t.start_time} < ${dayAfter(to, 1)}`,
          ),
        )
        .orderBy(t.start_time)
        .limit(mostEntries + 1);
      return rows.map((row) => ({
        id: row.id,
        title: row.title,
        start: row.start_time!,
        end: row.end_time!,
        place: row.location,
        version: row.version,
        modified: row.gmt_modified,
        path: `/activity/detail/${row.id}`,
        cancelled: row.activity_status === activityStatus.cancelled,
      }));
    },
  },
};
