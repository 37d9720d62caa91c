import { and, asc, eq, gte, isNotNull, lt, lte, sql } from 'drizzle-orm';
import { dayAfter, momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { mostEntries, type Feeds } from '#modules/platform/feeds/service.ts';
import { hearersIn, newsOf, remind } from '#modules/platform/messages/service.ts';
import { partsOfEach } from '#modules/platform/people/service.ts';
import { forceTicket, holdTickets } from '#modules/workflow/tickets/service.ts';
import { figureInAbout, type Waits } from '#modules/platform/waits/service.ts';
import { orderStage, placeOf } from './contract/codes.ts';
import { desk, orderNews } from './record/news.ts';
import { intakes } from './record/reading.ts';
import { orders, type Order } from './record/record.ts';
import { orderTable as t } from './tables.ts';

const portion = 200;
const nobody = { user: null, origin: { ip: '', userAgent: '', traceId: '' } };

/** Sends reminders of orders at 80, 100 and 150 percent of their time: each once per deadline. Returns true if more may wait. */
export async function tellOfTime(tx: Db, now: Date): Promise<boolean> {
  const rows = (await tx
    .select()
    .from(t)
    .where(and(isNotNull(t.next_at), lte(t.next_at, now.toISOString())))
    .orderBy(asc(t.next_at))
    .limit(portion)
    .for('update', { skipLocked: true })) as (Order & { search: string })[];
  if (rows.length === 0) return false;
  const [at, clerks] = [momentText(now), await hearersIn(tx, [desk])];
  const teams = await partsOfEach(
    tx,
    rows.flatMap((row) => row.team_id ?? []),
  );
  await remind(
    tx,
    rows.map((row) => {
      const share = at >= row.over_at! ? 150 : at >= row.due_at! ? 100 : 80;
      const handler = row.handler_id === null ? clerks : [row.handler_id];
      const to = [
        ...handler,
        ...(share > 80 ? clerks : []),
        ...(share > 100 && row.team_id !== null ? teams.heads(row.team_id) : []),
      ];
      const said = share === 80 ? '将到时限' : share === 100 ? '已超过时限' : '已严重超时';
      return {
        news: newsOf(orderNews.ORDER_DUE, row, {
          content: `${row.sn} ${placeOf(row)} ${said} ${row.due_at!.slice(0, 16)}，请抓紧办理。`,
          occasion: `${share} ${row.due_at}`,
          by: null,
        }),
        to: [...new Set(to)],
      };
    }),
  );
  const ids = sql.param(rows.map((row) => row.id));
  await tx.execute(
    sql`update ${t} set next_at = case when ${now.toISOString()} >= over_at then null when ${now.toISOString()} >= due_at then over_at else due_at end where id = any(${ids}::int[])`,
  );
  return rows.length === portion;
}

/** Resumes an order whose suspension is over; checked again after locking its ticket, because somebody may have resumed it meanwhile. */
export async function resumeOne(tx: Db, now: Date): Promise<boolean> {
  const due = and(eq(t.stage, orderStage.hung), lte(t.hang_until, now.toISOString()));
  const [row] = await tx
    .select({ id: t.id, ticket: t.ticket_id })
    .from(t)
    .where(due)
    .orderBy(asc(t.hang_until))
    .limit(1);
  if (!row?.ticket) return false;
  await holdTickets(tx, [row.ticket]);
  if ((await tx.$count(t, and(due, eq(t.id, row.id)))) === 0) return true;
  await forceTicket({ tx, now, ...nobody }, row.ticket, { type: 'resume', suggestion: '到预计恢复时间' });
  return true;
}

const telling = 'orders: tell of time';
const resuming = 'orders: resume';
const until = async (databases: Pick<Databases, 'write'>, work: (tx: Db) => Promise<boolean>) => {
  for (let more = true; more;) more = await databases.write(work);
};
export const orderTasks = (databases: Pick<Databases, 'write'>): Task[] => [
  { name: telling, title: '订单时限提醒', run: (_payload, { now }) => until(databases, (tx) => tellOfTime(tx, now)) },
  { name: resuming, title: '挂起的订单恢复', run: (_payload, { now }) => until(databases, (tx) => resumeOne(tx, now)) },
];
export const orderSchedules: Schedule[] = [telling, resuming].map((task) => ({
  task,
  cron: '* * * * *',
  catchUpHours: 1,
}));

/** Orders from outside that wait for the desk; all others wait as their tickets. */
export const orderWaits: Waits = {
  key: 'order',
  page: 'order/list',
  path: '/order/list?category=intake',
  title: '访客报修',
  mine: async (_tx, user) =>
    sql`select ${t.id}, ${t.title}, ${t.response_due}, concat_ws(' ', nullif(${t.building}, ''), nullif(${t.floor}, ''), nullif(${t.room}, ''), nullif(${t.place}, '')), ${t.gmt_created}, null::int from ${t} where ${intakes({ user })}`,
  everybodys: async (
    tx,
  ) => sql`select who, ${t.response_due} from ${t} cross join unnest(${sql.param(await hearersIn(tx, [desk]))}::int[]) who
    where ${t.ticket_id} is null and ${t.stage} = ${inSql(orderStage.reported)} and not ${t.is_deleted}`,
  whatOf: figureInAbout,
  linkOf: (row) => `/order/detail/${row.id}`,
};

/** Appointments of an order's handler, for their own calendar. */
export const orderFeeds: Feeds = {
  orders: {
    name: '维修预约',
    async entries(tx, { id }, from, to) {
      const rows = await tx
        .select(orders.columns)
        .from(t)
        .where(
          and(
            eq(t.handler_id, id),
            gte(t.appoint_time, from),
            lt(t.appoint_time, dayAfter(to, 1)),
            sql`${t.stage} between ${inSql(orderStage.assigned)} and ${inSql(orderStage.hung)}`,
          ),
        )
        .orderBy(asc(t.appoint_time))
        .limit(mostEntries + 1);
      return rows.map((row) => ({
        id: row.id,
        title: `维修：${row.title}`,
        start: row.appoint_time!,
        end: row.appoint_time!,
        place: placeOf(row),
        version: row.version,
        modified: row.gmt_modified,
        path: `/order/detail/${row.id}`,
      }));
    },
  },
};
