import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { forbidden } from '#kernel/contract/refusal.ts';
import { dayAfter, dayStart, momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { projectsWithin, projectTable } from '#modules/services/customers/service.ts';
import type { FeedEntry, Feeds } from '#modules/platform/feeds/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { incidentState } from '../contract/codes.ts';
import { reportState } from '../contract/reports.ts';
import { spansOf } from '../engine/windows.ts';
import { incidentTable } from '../tables.ts';
import { reportPath } from '../reports/drafts.ts';
import { holdIncident, note } from './claiming.ts';
import { windowRows } from './monitors.ts';

const [r, p] = [incidentTable, projectTable];

/** Open incidents for the recipients of the project's alarms; if they have all left, for its manager, else the customer's owner. */
const open = sql`from test_record r join customer_project on customer_project.id = r.project_id join customer on customer.id = customer_id
  cross join lateral (select id from (
    select u.id, rank() over (order by case when u.id = any(alert_users) then 1 when u.id = manager then 2 else 3 end) place
    from app_user u where u.id = any(alert_users || manager || customer.owner) and u.is_active and not u.is_deleted) one where place = 1) who
  where r.end_time is null and r.claimed_at is null and not r.is_deleted`;
/** Drafts that wait for the customer's owner, until the end of the following month. */
const draft = sql`from monitor_report d join customer on customer.id = d.customer_id and not customer.is_deleted where d.state = ${inSql(reportState.draft)}`;
const dueOf = sql`(d.gmt_created + interval '10 days')`;

/** 待认领的异常 for alarm recipients; 待核对的服务月报 for customers' owners. */
export const monitorWaits: Waits[] = [
  {
    key: 'incident',
    page: 'customer/record',
    path: `/customer/record?state=${incidentState.open}`,
    title: '待认领的异常',
    mine: async (_tx, { id }) =>
      sql`select r.id, customer.name || ' ' || customer_project.name || ' 异常', r.start_time, null::text, r.start_time, null::int ${open} and who.id = ${id}`,
    everybodys: async () => sql`select who.id, r.start_time ${open}`,
    linkOf: ({ id }) => `/customer/record/detail/${id}`,
  },
  {
    key: 'report',
    page: 'customer/list',
    path: '/customer/list?tab=report',
    title: '待核对的服务月报',
    mine: async (_tx, { id }) =>
      sql`select customer.id, customer.name || ' ' || d.month, ${dueOf}, d.month, null::timestamptz, null::int ${draft} and customer.owner = ${id}`,
    everybodys: async () => sql`select customer.owner, ${dueOf} ${draft}`,
    linkOf: ({ id, about }) => reportPath(id, about!),
  },
];

const claimed = { id: r.id, title: p.name, note: sql<string>`'已认领的异常'`, at: r.start_time };
const claimedBy = (person: number) =>
  and(
    eq(r.claimed_by, person),
    inArray(r.state, [incidentState.open, incidentState.over]),
    eq(r.is_deleted, false),
    isNotNull(r.claimed_at),
  );

/** Incidents that the leaver claimed and has not handled. */
export const monitorLeaves: Leaves[] = [
  {
    key: 'monitor_incidents',
    title: '认领的异常',
    openOf: async (tx, person, limit) =>
      heldOf(
        await tx
          .select(claimed)
          .from(r)
          .innerJoin(p, eq(p.id, r.project_id))
          .where(claimedBy(person))
          .orderBy(asc(r.id)),
        limit,
      ),
    async handOver(tx, from, to, { user }, only) {
      const known = { ...claimed, mine: sql<boolean>`${projectsWithin(user, 'Update', 'customer/record')}` };
      const rows = await tx
        .select(known)
        .from(r)
        .innerJoin(p, eq(p.id, r.project_id))
        .where(claimedBy(from.id))
        .orderBy(asc(r.id));
      return eachHanded(rows, only, async ({ id, mine }) => {
        if (!mine) throw forbidden('移交认领的异常');
        await holdIncident(tx, id);
        await tx
          .update(r)
          .set({ claimed_by: to.id, claimed_name: to.alias, ...touched(r) })
          .where(eq(r.id, id));
        await note(tx, id, 'handed', user.id, `由${from.alias}移交${to.alias}`);
      });
    },
  },
];

/** Windows of the projects a person sees, and the expiry of their certificates and domains. */
export const monitorFeeds: Feeds = {
  maintenance: {
    name: '监测维护与到期',
    async entries(tx, viewer, from, to) {
      const reached = projectsWithin(viewer, 'Retrieve', 'customer/project');
      const seen = sql`select id from customer_project where not is_deleted and ${reached}`;
      const windows = await windowRows(
        tx,
        sql`project_ids && array(${seen}) and starts_at < ${dayAfter(to, 1)}::timestamptz and (ends_at is null or ends_at > ${from}::timestamptz)`,
        200,
      );
      const [first, past] = [from, dayAfter(to, 1)].map((day) => dayStart(day).getTime()) as [number, number];
      const spans = windows.flatMap((one) =>
        spansOf([one], first, past).map(({ start, end }): FeedEntry => ({
          id: `${one.id}-${start}`,
          title: `维护：${one.title}`,
          start: momentText(new Date(start)),
          end: momentText(new Date(Math.min(end, past))),
          version: one.version,
          modified: one.gmt_modified,
          path: '/customer/project',
          // It needs nobody's presence and may last for days, so it blocks no time.
          free: true,
        })),
      );
      const ends = await namedRows<{ id: number; day: string; title: string; version: number; modified: string }>(
        tx,
        sql`select id, day::text, title, version, left(gmt_modified::text, 19) modified from (
            select id, domain_expire as day, '域名到期：' || name as title, version, gmt_modified from customer_project where id in (${seen})
            union all select p.id, to_timestamp((s.cert ->> 'ends')::float8 / 1000)::date, '证书到期：' || p.name, p.version, p.gmt_modified
              from customer_project p join monitor_state s on s.project_id = p.id where p.id in (${seen}) and s.cert ->> 'ends' is not null) one
          where day between ${from}::date and ${to}::date order by day, id limit 200`,
      );
      const days = ends.map(({ day, ...row }) => ({
        ...row,
        id: `${row.id}-${row.title.slice(0, 2)}`,
        start: day,
        end: day,
        path: `/customer/project/detail/${row.id}`,
      }));
      return [...spans, ...days].sort((a, b) => (a.start < b.start ? -1 : 1)).slice(0, 500);
    },
  },
};
