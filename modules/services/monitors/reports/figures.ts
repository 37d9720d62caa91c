import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { serviceLevel } from '#modules/services/customers/contract/codes.ts';
import { falseAlarm } from '../contract/codes.ts';
import type { ServiceReport } from '../contract/reports.ts';
import type { monitorRules } from '../contract/rules.ts';
import { shareOf } from '../hours/chart.ts';

type Promised = Pick<(typeof monitorRules)['defaults'], 'promised_5x8' | 'promised_7x24'>;
type Line = Omit<ServiceReport['projects'][number], 'uptime' | 'promised'> & Record<string, unknown>;
type Incident = ServiceReport['incidents'][number] & Record<string, unknown>;

const span = (month: string) => {
  const first = sql`${`${month}-01`}::date`;
  return { first, past: sql`${first} + interval '1 month'` };
};

/** A customer's month from the present hours and incidents; null if nothing was monitored. */
export async function monthOf(
  tx: Db,
  customer: { id: number; name: string },
  month: string,
  promised: Promised,
): Promise<ServiceReport | null> {
  const { first, past } = span(month);
  const within = (column: SQL) => sql`${column} >= ${first} and ${column} < ${past}`;
  const touches = sql`r.start_time < ${past} and (r.end_time is null or r.end_time >= ${first})`;
  const { rows } = await tx.execute<Line>(sql`
    select p.id, p.name, p.service_level, sum(up_s)::int up_s, sum(down_s)::int down_s, sum(maintenance_s)::int maintenance_s, sum(unknown_s)::int unknown_s,
      (select count(*)::int from test_record r where r.project_id = p.id and ${touches} and not r.is_deleted) incidents
    from customer_project p join monitor_hour h on h.project_id = p.id and ${within(sql`h.hour`)}
    where p.customer_id = ${customer.id} group by p.id order by p.name limit 500`);
  if (rows.length === 0) return null;
  const projects = rows.map((one) => ({
    ...one,
    uptime: shareOf(one.up_s, one.down_s),
    promised: one.service_level === serviceLevel.always ? promised.promised_7x24 : promised.promised_5x8,
  }));
  const sum = (key: 'up_s' | 'down_s' | 'maintenance_s' | 'unknown_s') => rows.reduce((all, one) => all + one[key], 0);
  const [up_s, down_s] = [sum('up_s'), sum('down_s')];
  const { rows: incidents } = await tx.execute<Incident>(sql`
    select p.name project, left(start_time::text, 19) start_time, left(end_time::text, 19) end_time, reason, cause, measure,
      ceil(extract(epoch from least(coalesce(end_time, now()), ${past}) - greatest(start_time, ${first})) / 60)::int minutes,
      coalesce((select alias from app_user where id = r.handler), '') handler
    from test_record r join customer_project p on p.id = r.project_id
    where p.customer_id = ${customer.id} and ${touches} and not r.is_deleted order by start_time limit 1000`);
  const looks = sql`from test_log l join customer_project p on p.id = l.project_id where p.customer_id = ${customer.id} and ${within(sql`l.time`)}`;
  const { rows: out } = await tx.execute<{ ignored_looks: number; deleted_looks: number; deleted_incidents: number }>(
    sql`select (select count(*)::int ${looks} and ignored) ignored_looks, (select count(*)::int ${looks} and l.is_deleted) deleted_looks,
      (select count(*)::int from test_record r join customer_project p on p.id = r.project_id
        where p.customer_id = ${customer.id} and ${touches} and r.is_deleted) deleted_incidents`,
  );
  const excluded = incidents.filter((one) => one.cause === falseAlarm);
  return {
    customer: { id: customer.id, name: customer.name },
    month,
    all: {
      up_s,
      down_s,
      maintenance_s: sum('maintenance_s'),
      unknown_s: sum('unknown_s'),
      uptime: shareOf(up_s, down_s),
    },
    projects,
    incidents,
    excluded_min: excluded.reduce((all, one) => all + one.minutes, 0),
    ...out[0]!,
  };
}

/** The last twelve months of a customer with monitoring, latest first, with the confirmed ones marked. */
export async function monthsOf(tx: Db, customer: number) {
  const { rows } = await tx.execute<{ month: string; up: number; down: number; state: number }>(sql`
    select one.month, up, down, coalesce(state, 0)::int state from (
      select to_char(hour, 'YYYY-MM') as month, sum(up_s)::float8 up, sum(down_s)::float8 down
      from monitor_hour h join customer_project p on p.id = h.project_id
      where p.customer_id = ${customer} and hour >= date_trunc('month', now()) - interval '11 months' group by 1) one
    left join monitor_report r on r.customer_id = ${customer} and r.month = one.month order by 1 desc`);
  return rows.map(({ month, up, down, state }) => ({ month, uptime: shareOf(up, down), state }));
}
