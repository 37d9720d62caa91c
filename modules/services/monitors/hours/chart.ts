import { sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { latencyBounds, monitorState } from '../contract/codes.ts';
import type { MonitorChart } from '../contract/logs.ts';

const hour = 3600;
/** The length of each span and the step of a point, in seconds; up to a day from the log, beyond it from the hours. */
const spans = {
  '1h': { length: hour, step: 12, raw: true },
  '24h': { length: 24 * hour, step: 288, raw: true },
  '7d': { length: 7 * 24 * hour, step: hour, raw: false },
  '30d': { length: 30 * 24 * hour, step: 3 * hour, raw: false },
  '90d': { length: 90 * 24 * hour, step: 8 * hour, raw: false },
  '1y': { length: 365 * 24 * hour, step: 30 * hour, raw: false },
} as const;
export type Span = keyof typeof spans;

interface Bucket extends Record<string, unknown> {
  at: number;
  min: number | null;
  median: number | null;
  p95: number | null;
  max: number | null;
  up: number;
  down: number;
  hist: number[] | null;
}

/** The upper bound of a share of the counted answers, from counts by `latencyBounds`; interpolated evenly within a bound. */
export function quantile(hist: readonly number[], share: number, most: number): number | null {
  const all = hist.reduce((sum, one) => sum + one, 0);
  if (all === 0) return null;
  let left = share * all;
  for (const [index, count] of hist.entries()) {
    if (left <= count && count > 0) {
      const from = latencyBounds[index - 1] ?? 0;
      const to = Math.min(latencyBounds[index] ?? most, Math.max(most, from));
      return Math.round(from + ((to - from) * left) / count);
    }
    left -= count;
  }
  return most;
}

// oxlint-disable-next-line eslint/no-restricted-properties -- numbers of ours, one column for each bound
const sums = sql.raw(
  latencyBounds
    .map((_bound, at) => `sum(hist[${at + 1}])`)
    .concat(`sum(hist[${latencyBounds.length + 1}])`)
    .join(', '),
);

export async function chartOf(tx: Db, project: number, span: Span, now: Date): Promise<MonitorChart> {
  const { length, step, raw } = spans[span];
  const end = Math.ceil(now.getTime() / 1000 / step) * step;
  const start = end - length;
  const { rows } = await tx.execute<Bucket>(
    raw
      ? sql`select floor(extract(epoch from time) / ${step}::int)::float8 * ${step}::int as at, min(ms) filter (where status = ${inSql(monitorState.up)}) min,
          (percentile_disc(0.5) within group (order by ms) filter (where status = ${inSql(monitorState.up)}))::int median,
          (percentile_disc(0.95) within group (order by ms) filter (where status = ${inSql(monitorState.up)}))::int p95, max(ms) filter (where status = ${inSql(monitorState.up)}) max,
          count(*) filter (where status in (${inSql(monitorState.up, monitorState.pending)}))::int up, count(*) filter (where status = ${inSql(monitorState.down)})::int down, null hist
        from test_log where project_id = ${project} and time >= to_timestamp(${start}) and time < to_timestamp(${end}) and not ignored group by 1 order by 1`
      : sql`select floor(extract(epoch from hour) / ${step}::int)::float8 * ${step}::int as at, null::int min, null::int median, null::int p95,
          nullif(max(ms_max), 0) max, sum(up_s)::int up, sum(down_s)::int down, array[${sums}]::int[] hist
        from monitor_hour where project_id = ${project} and hour >= to_timestamp(${start}) and hour < to_timestamp(${end}) group by 1 order by 1`,
  );
  const known = new Map(rows.map((row) => [row.at, row]));
  const points = [];
  for (let at = Math.ceil(start / step) * step; at < end; at += step) points.push(pointOf(at, known.get(at)));
  const down = await tx.execute<{ start: string; end: string | null }>(sql`
    select start_time::text start, end_time::text "end" from test_record where project_id = ${project} and start_time < to_timestamp(${end})
      and (end_time is null or end_time > to_timestamp(${start})) order by start_time desc limit 200`);
  const { rows: whole } = await tx.execute<{ up: number; down: number }>(sql`
    select coalesce(sum(up_s), 0)::int up, coalesce(sum(down_s), 0)::int down from monitor_hour where project_id = ${project}
      and hour >= to_timestamp(${start - (start % hour)})`);
  return {
    points: points.slice(-300),
    downs: down.rows.map((one) => ({ start: one.start.slice(0, 19), end: one.end?.slice(0, 19) ?? null })),
    uptime: shareOf(whole[0]!.up, whole[0]!.down),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
/** The percentage of the probed time. */
export const shareOf = (up: number, down: number): number | null =>
  up + down === 0 ? null : round((100 * up) / (up + down));

function pointOf(at: number, row: Bucket | undefined) {
  const point = { at: momentText(new Date(at * 1000)), min: null, median: null, p95: null, max: null, down: null };
  if (!row) return point;
  const { hist, up, down } = row;
  const max = row.max ?? 0;
  const lows = hist?.findIndex((count) => count > 0) ?? -1;
  const merged = hist &&
    lows >= 0 && {
      min: latencyBounds[lows - 1] ?? 0,
      median: quantile(hist, 0.5, max),
      p95: quantile(hist, 0.95, max),
      max,
    };
  const exact = { min: row.min, median: row.median, p95: row.p95, max: row.max };
  return {
    ...point,
    ...(hist ? merged || {} : exact),
    down: up + down === 0 ? null : round((100 * down) / (up + down)),
  };
}
