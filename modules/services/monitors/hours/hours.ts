import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Services } from '#kernel/server/services.ts';
import { falseAlarm, latencyBounds, monitorState } from '../contract/codes.ts';
import { monitorRules } from '../contract/rules.ts';
import type { Asking } from '../probing/apply.ts';

const buckets = latencyBounds.length + 1;
const counts = Array.from(
  { length: buckets },
  (_one, at) => `count(*) filter (where first and status = ${monitorState.up} and bucket = ${at})::int2`,
);

/** SQL: the probes of an hour's day still exist; old days are dropped as a whole. */
function looksKept(hour: string): string {
  return `to_regclass('test_log_' || to_char(${hour}, 'YYYYMMDD')) is not null`;
}

/**
 * Computes the hours: a probe counts until the next one, at most twice the interval; the rest is unknown. Only time within an incident is
 * down, so a failure within its retries is not. Idempotent while the probes of the day exist.
 */
const hours = `with span as (select date_trunc('hour', $1::timestamptz) first, date_trunc('hour', $2::timestamptz) + interval '1 hour' past),
  watched as (select project_id, interval_s, enabled, gmt_created from monitor where $3::int[] is null or project_id = any($3)),
  looks as (
    select l.project_id, l.time, l.status, l.ms, width_bucket(l.ms, array[${latencyBounds.join(',')}]) bucket,
      least(coalesce(lead(l.time) over (partition by l.project_id order by l.time), now()), l.time + make_interval(secs => 2 * w.interval_s), now()) until,
      case when l.status = ${monitorState.maintenance} then 'm' when exists (select from test_record r where r.project_id = l.project_id
        and r.cause is distinct from ${falseAlarm} and r.start_time <= l.time and (r.end_time is null or l.time < r.end_time)) then 'd' else 'u' end kind
    from test_log l join watched w using (project_id), span
    where not l.ignored and l.time < span.past
      and l.time >= span.first - make_interval(secs => 2 * (select coalesce(max(interval_s), 0) from watched))),
  cells as (
    select project_id, hour, kind, status, ms, bucket, hour = date_trunc('hour', time) first,
      greatest(0, extract(epoch from least(until, hour + interval '1 hour') - greatest(time, hour))) seconds
    from looks, span, generate_series(greatest(date_trunc('hour', time), span.first), least(until, span.past - interval '1 second'), interval '1 hour') hour),
  sums as (
    select project_id, hour, sum(seconds) filter (where kind = 'u') up, sum(seconds) filter (where kind = 'd') down,
      sum(seconds) filter (where kind = 'm') maintenance, count(*) filter (where first) probes,
      coalesce(sum(ms) filter (where first and status = ${monitorState.up}), 0) ms_sum, coalesce(max(ms) filter (where first and status = ${monitorState.up}), 0) ms_max,
      array[${counts.join(', ')}] hist
    from cells group by 1, 2),
  whole as (
    select w.project_id, h.hour, round(coalesce(up, 0))::int up, round(coalesce(down, 0))::int down, round(coalesce(maintenance, 0))::int maintenance,
      greatest(0, ceil(extract(epoch from least(now(), h.hour + interval '1 hour') - greatest(h.hour, w.gmt_created))))::int length,
      coalesce(probes, 0) probes, coalesce(ms_sum, 0) ms_sum, coalesce(ms_max, 0) ms_max, coalesce(hist, array_fill(0::int2, array[${buckets}])) hist
    from watched w cross join span cross join generate_series(span.first, span.past - interval '1 second', interval '1 hour') h (hour)
      left join sums using (project_id, hour)
    where ((w.enabled and h.hour + interval '1 hour' > w.gmt_created) or sums.project_id is not null) and ${looksKept('h.hour')})
  insert into monitor_hour (project_id, hour, up_s, down_s, maintenance_s, unknown_s, probes, ms_sum, ms_max, hist)
  select project_id, hour, up, down, maintenance, greatest(0, length - up - down - maintenance), least(probes, 32000), ms_sum, ms_max, hist from whole
  on conflict (project_id, hour) do update set up_s = excluded.up_s, down_s = excluded.down_s, maintenance_s = excluded.maintenance_s,
    unknown_s = excluded.unknown_s, probes = excluded.probes, ms_sum = excluded.ms_sum, ms_max = excluded.ms_max, hist = excluded.hist`;

/** Recomputes the hours between two moments, inclusive; of some projects or of all. */
export async function recomputeHours(
  client: Asking,
  { from, to, projects = null }: { from: string; to: string; projects?: readonly number[] | null },
): Promise<void> {
  await client.query(hours, [from, to, projects]);
}

/** For hours whose probes are gone, the time of an incident is moved between up and down, so that the total stays. */
const moved = `update monitor_hour h set up_s = h.up_s + case when $4 then -taken else taken end,
    down_s = h.down_s + case when $4 then taken else -taken end
  from (select project_id, hour, least(case when $4 then up_s else down_s end,
      extract(epoch from least($3::timestamptz, hour + interval '1 hour') - greatest($2::timestamptz, hour))::int)::int2 taken
    from monitor_hour where project_id = $1 and hour > $2::timestamptz - interval '1 hour' and hour < $3 and not ${looksKept('hour')}) part
  where (h.project_id, h.hour) = (part.project_id, part.hour) and taken > 0`;

/** Adds an incident that was judged anew to the hours, or removes it: `down` says if it counts. */
export async function countIncident(
  client: Asking,
  { project, from, to, down }: { project: number; from: string; to: string; down: boolean },
): Promise<void> {
  await recomputeHours(client, { from, to, projects: [project] });
  await client.query(moved, [project, from, to, down]);
}

const uptime = (column: string, span: string) => `update monitor_state s set ${column} = f.share from (
  select project_id, round(10000.0 * sum(up_s) / nullif(sum(up_s) + sum(down_s), 0))::int2 share
  from monitor_hour where hour > now() - interval '${span}' group by 1) f
  where f.project_id = s.project_id and s.${column} is distinct from f.share`;

export const hoursTask = 'monitors.hours';
export const daysTask = 'monitors.days';

/** Recomputes the present and the last hour, and those since the last run. */
export async function tellHours(client: Asking): Promise<void> {
  const { rows } = await client.query<{ from: string; to: string; fresh: boolean }>(`
    select least(now() - interval '1 hour', coalesce((select max(hour) from monitor_hour where hour > now() - interval '3 days'), now()))::text "from",
      now()::text "to", extract(minute from now()) < 5 fresh`);
  await recomputeHours(client, rows[0]!);
  await tellUptimes(client, rows[0]!.fresh);
}
/** Updates the uptime of the last day, and optionally of the last month. */
export async function tellUptimes(client: Asking, month = true): Promise<void> {
  await client.query(uptime('uptime_24h', '24 hours'));
  if (month) await client.query(uptime('uptime_30d', '30 days'));
}

export function hourTasks({
  databases,
  settings,
}: {
  databases: Pick<Databases, 'write'>;
  settings: Services['settings'];
}): Task[] {
  return [
    { name: hoursTask, title: '统计每小时可用率', run: () => databases.write((tx) => tellHours(tx.$client)) },
    {
      name: daysTask,
      title: '整理监测日志',
      run: () =>
        databases.write(async (tx) => {
          const { keep_days } = await settings.of(monitorRules);
          await tx.$client.query('select monitor_log_days(current_date, current_date + 3)');
          await tx.$client.query('select monitor_log_drop(current_date - $1::int)', [keep_days]);
          await tx.$client.query(uptime('uptime_30d', '30 days'));
          await tx.$client.query(`delete from monitor_hour where hour < now() - interval '2 years'`);
          await tx.$client.query(
            `delete from monitor_alert where sent_at < now() - interval '90 days' and record_id is null`,
          );
          await tx.$client.query(`delete from monitor_claim where made_at < now() - interval '7 days'`);
          await tx.$client.query(`delete from monitor_node where seen_at < now() - interval '1 day'`);
        }),
    },
  ];
}
export const hourSchedules = [
  { task: hoursTask, cron: '*/5 * * * *', catchUpHours: 1 },
  { task: daysTask, cron: '10 */6 * * *' },
];
