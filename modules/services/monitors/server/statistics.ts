import { sql, type SQL } from 'drizzle-orm';
import { dayAfter } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { projectsWithin, projectTable } from '#modules/services/customers/service.ts';
import { overEvent } from '../alerts/words.ts';
import { cause, falseAlarm } from '../contract/codes.ts';
import { monitorStatistics } from '../contract/statistics.ts';
import { shareOf } from '../hours/chart.ts';

interface Counted {
  /** A subquery of the ids of the counted projects. */
  projects: SQL;
  start: string;
  past: string;
}
interface Sums extends Record<string, unknown> {
  key: string;
  name: string;
  up: number;
  down: number;
  unknown: number;
  incidents: number;
  failed: number;
  told: number;
}

/** Hours and incidents of a period, grouped by project or by time. */
async function along(
  tx: Db,
  { projects, start, past }: Counted,
  most: number,
  by: { hour: SQL; record: SQL; name: SQL },
) {
  const { rows } = await tx.execute<Sums>(sql`
    with reached as (select p.id, p.name, p.customer_id from customer_project p where p.id in (${projects})),
      hours as (select ${by.hour} key, sum(up_s) up, sum(down_s) down, sum(unknown_s) unknown from monitor_hour h join reached p on p.id = h.project_id
        where hour >= ${start}::timestamptz and hour < ${past}::timestamptz group by 1),
      records as (select ${by.record} key, count(*) incidents, sum(extract(epoch from coalesce(end_time, now()) - start_time)) failed,
          sum((select count(*) from monitor_alert a where a.record_id = r.id and a.told_at is not null and a.event <> ${overEvent})) told
        from test_record r join reached p on p.id = r.project_id
        where start_time >= ${start}::timestamptz and start_time < ${past}::timestamptz and cause is distinct from ${falseAlarm} and not r.is_deleted group by 1)
    select key, ${by.name} name, coalesce(up, 0)::float8 up, coalesce(down, 0)::float8 down, coalesce(unknown, 0)::float8 unknown,
      coalesce(incidents, 0)::int incidents, coalesce(failed, 0)::float8 failed, coalesce(told, 0)::int told
    from hours full join records using (key) order by key limit ${most + 1}`);
  return rows.map(({ key, name, up, down, unknown, incidents, failed, told }) => ({
    key: String(key),
    name: name ?? '',
    uptime: shareOf(up, down),
    down_min: Math.round(down / 60),
    unknown_h: Math.round(unknown / 3600),
    incidents,
    mttr: incidents === 0 ? null : Math.round(failed / 60 / incidents),
    mtbf: incidents === 0 ? null : Math.round(up / 3600 / incidents),
    told,
  }));
}
const worstFirst = <R extends { uptime: number | null }>(rows: R[]) =>
  rows.toSorted((a, b) => (a.uptime ?? 101) - (b.uptime ?? 101));

/** Availability, causes and coming expiries of the projects a user reaches. */
export const statistics = figuresHandler(monitorStatistics, {
  async counted(_tx, user, asked, period): Promise<Counted> {
    const customer =
      asked.customer_id === undefined ? sql`` : sql` and ${projectTable.customer_id} = ${asked.customer_id}`;
    const reached = projectsWithin(user, 'Retrieve', 'customer/statistics');
    return {
      projects: sql`select ${projectTable.id} from ${projectTable} where not ${projectTable.is_deleted} and ${reached}${customer}`,
      start: `${period.start} 00:00:00`,
      past: `${dayAfter(period.end, 1)} 00:00:00`,
    };
  },
  panels: {
    project: async (tx, of, most) =>
      worstFirst(
        await along(tx, of, most, {
          hour: sql`p.id`,
          record: sql`p.id`,
          name: sql`(select c.name || ' ' || p.name from customer_project p join customer c on c.id = p.customer_id where p.id = key)`,
        }),
      ),
    customer: async (tx, of, most) =>
      worstFirst(
        await along(tx, of, most, {
          hour: sql`p.customer_id`,
          record: sql`p.customer_id`,
          name: sql`(select name from customer where id = key)`,
        }),
      ),
    month: (tx, of, most) =>
      along(tx, of, most, {
        hour: sql`to_char(hour, 'YYYY-MM')`,
        record: sql`to_char(start_time, 'YYYY-MM')`,
        name: sql`key`,
      }),
    cause: async (tx, of, most) =>
      (await along(tx, of, most, { hour: sql`null::int2`, record: sql`coalesce(cause, 9)`, name: sql`key::text` }))
        .filter((row) => row.incidents > 0)
        .map((row) => ({
          ...row,
          name: cause.label(Number(row.key)),
          down_min: Math.round((row.mttr ?? 0) * row.incidents),
        })),
    async expiry(tx, { projects }, most) {
      const { rows } = await tx.execute<{ key: string; name: string; ends: string; what: string }>(sql`
        select id::text key, name, ends::text, what from (
          select p.id, c.name || ' ' || p.name as name, (to_timestamp((s.cert ->> 'ends')::float8 / 1000))::date ends, '证书 ' || coalesce(s.cert ->> 'subject', '') what
            from customer_project p join customer c on c.id = p.customer_id join monitor_state s on s.project_id = p.id where s.cert ->> 'ends' is not null and p.id in (${projects})
          union all select p.id, c.name || ' ' || p.name, p.domain_expire, '域名' from customer_project p join customer c on c.id = p.customer_id where p.domain_expire is not null and p.id in (${projects})) one
        where ends < current_date + 90 order by ends, name limit ${most + 1}`);
      return rows;
    },
  },
  async summary(tx, of) {
    const [all] = await along(tx, of, 1, { hour: sql`1`, record: sql`1`, name: sql`''` });
    const { rows } = await tx.execute<{ monitors: number }>(
      sql`select count(*)::int monitors from monitor where enabled and project_id in (${of.projects})`,
    );
    return {
      monitors: rows[0]!.monitors,
      uptime: all?.uptime ?? null,
      incidents: all?.incidents ?? 0,
      mttr: all?.mttr ?? null,
      unknown_h: all?.unknown_h ?? 0,
    };
  },
});
