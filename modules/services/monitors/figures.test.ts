import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { momentText } from '#kernel/contract/moment.ts';
import { monitors } from './contract.ts';
import { latencyBounds } from './contract/codes.ts';
import { quantile } from './hours/chart.ts';
import { recomputeHours, tellHours } from './hours/hours.ts';
import { apply, type Found } from './probing/apply.ts';
import { openWatching, type Watching } from './testing/watching.ts';

let watching: Watching;
/** The beginning of a past hour. */
const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 3_600_000;
const minute = 60_000;
beforeAll(async () => {
  watching = await openWatching();
  // Partitions for past days, because the tests write old probes.
  await watching.app.services.databases.pool.query('select monitor_log_days(current_date - 40, current_date)');
});
afterAll(() => watching.close());

const older = (id: number) =>
  watching.app.services.databases.pool.query(
    `update monitor set gmt_created = now() - interval '60 days' where project_id = $1`,
    [id],
  );
const write = (id: number, looks: readonly [minute: number, result: Found['result'], ms?: number][], from = hour) =>
  watching.app.services.databases.write(async (tx) => {
    for (const [at, result, ms = 40] of looks)
      await apply(tx.$client, [
        {
          project_id: id,
          lease_no: null,
          result,
          ms,
          http_code: null,
          msg: result === 'ok' ? '' : '拒绝连接',
          certificate: null,
          at: from + at * minute,
        },
      ]);
  });
const count = (id: number, from = hour, to = hour) =>
  watching.app.services.databases.write((tx) =>
    recomputeHours(tx.$client, { from: momentText(new Date(from)), to: momentText(new Date(to)), projects: [id] }),
  );
interface Hour extends Record<string, unknown> {
  up_s: number;
  down_s: number;
  maintenance_s: number;
  unknown_s: number;
  probes: number;
}
const hourOf = async (id: number, at = hour) =>
  (
    await watching.app.db.execute<Hour>(
      sql`select up_s, down_s, maintenance_s, unknown_s, probes from monitor_hour where project_id = ${id} and hour = to_timestamp(${at / 1000})`,
    )
  ).rows[0];
const every = (from: number, to: number, result: Found['result'], step = 5): [number, Found['result']][] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_one, at) => [from + at * step, result]);

describe('an hour of availability', () => {
  test('counts each probe until the next, and time without probes as unknown', async () => {
    const { id } = await watching.project({ interval_s: 300 });
    await older(id);
    // Probed for half an hour; a probe counts for two intervals at most.
    await write(id, every(0, 30, 'ok'));
    await count(id);
    expect(await hourOf(id)).toEqual({ up_s: 2100, down_s: 0, maintenance_s: 0, unknown_s: 1500, probes: 6 });
    const nobody = await watching.project({ interval_s: 300 });
    await older(nobody.id);
    await count(nobody.id);
    expect(await hourOf(nobody.id)).toMatchObject({ up_s: 0, down_s: 0, unknown_s: 3600 });
    const { points, uptime } = await watching.admin.get(monitors.chart, {
      query: { project_id: nobody.id, span: '7d' },
    });
    expect([points.every((point) => point.down === null), uptime]).toEqual([true, null]);
  });

  test('is down from the first failure to the first success of an incident, and not for a failure within its retries', async () => {
    const { id } = await watching.project({ interval_s: 300, retries: 2, successes: 2 });
    await older(id);
    await write(id, [...every(0, 20, 'ok'), [20, 'fail'], [21, 'fail'], ...every(22, 60, 'ok')]);
    await count(id);
    expect(await hourOf(id)).toMatchObject({ up_s: 3600, down_s: 0 });
    const other = await watching.project({ interval_s: 300, retries: 2, successes: 2 });
    await older(other.id);
    await write(other.id, [
      ...every(0, 20, 'ok'),
      [20, 'fail'],
      [21, 'fail'],
      [22, 'fail'],
      [27, 'fail'],
      [32, 'ok'],
      [33, 'ok'],
      ...every(35, 60, 'ok'),
    ]);
    await count(other.id);
    expect(await hourOf(other.id)).toMatchObject({ up_s: 2880, down_s: 720, unknown_s: 0 });
  });

  test('keeps its length when an incident is reclassified later: its downtime is moved, and restored when that is undone', async () => {
    const { admin, app } = watching;
    const { id } = await watching.project({ interval_s: 300 });
    const long = new Date('2025-03-04T02:00:00Z').getTime();
    const at = (minutes: number) => sql`to_timestamp(${long / 1000 + minutes * 60})`;
    await app.services.databases.write((tx) =>
      tx.execute(sql`insert into monitor_hour (project_id, hour, up_s, down_s, hist)
      values (${id}, ${at(0)}, 3000, 600, '{0}'), (${id}, ${at(60)}, 3540, 60, '{0}')`),
    );
    const { rows } = await app.services.databases.write((tx) =>
      tx.execute<{ id: number }>(sql`insert into test_record (project_id, type, start_time, end_time, state)
      values (${id}, 1, ${at(50)}, ${at(61)}, 1) returning id`),
    );
    const judge = async (cause: 2 | 6) => {
      await admin.get(monitors.handle, { params: { id: rows[0]!.id }, body: { cause, measure: '查看了日志' } });
      return Promise.all([hourOf(id, long), hourOf(id, long + 60 * minute)]);
    };
    expect(await judge(2)).toMatchObject([
      { up_s: 3000, down_s: 600 },
      { up_s: 3540, down_s: 60 },
    ]);
    expect(await judge(6)).toMatchObject([
      { up_s: 3600, down_s: 0 },
      { up_s: 3600, down_s: 0 },
    ]);
    expect(await judge(2)).toMatchObject([
      { up_s: 3000, down_s: 600 },
      { up_s: 3540, down_s: 60 },
    ]);
  });

  test('is recalculated any number of times; a false alarm or an ignored incident is removed with person and reason', async () => {
    const { admin, app } = watching;
    const { id } = await watching.project({ interval_s: 300 });
    await older(id);
    await write(id, [...every(0, 20, 'ok'), [20, 'fail'], ...every(25, 60, 'ok')]);
    for (let time = 0; time < 3; time++) await count(id);
    const before = await hourOf(id);
    expect(before).toMatchObject({ up_s: 3300, down_s: 300 });
    const [incident] = await watching.incidentsOf(id);
    await admin.get(monitors.handle, { params: { id: incident!.id }, body: { cause: 6, measure: '演练' } });
    expect(await hourOf(id)).toMatchObject({ up_s: 3600, down_s: 0 });
    await admin.get(monitors.amend, { params: { id: incident!.id }, body: { cause: 3 } });
    expect(await hourOf(id)).toEqual(before);
    const query = {
      project_id: id,
      from: momentText(new Date(hour)),
      to: momentText(new Date(hour + 60 * minute)),
      per_page: 100,
    };
    const asked = async (more: object) =>
      (await admin.ask(monitors.logs, { query: { ...query, ...more } as never })).msg;
    expect(await asked({ from: '2026-02-31 00:00' })).toBe('开始时间：没有这一天');
    expect(await asked({ from: '2026-11-28 00:00', to: '2026-11-01 00:00' })).toMatch(
      /结束时间：结束日期 .* 早于开始日期/,
    );
    const { value } = await admin.get(monitors.logs, { query });
    const first = value.at(-1)!;
    await admin.get(monitors.note, { params: { id: first.id }, body: { ignored: true, remark: '当时在切换线路' } });
    expect(await hourOf(id)).toMatchObject({ up_s: 3000, unknown_s: 300 });
    // A note may be changed in part: the rest of it stays.
    await admin.get(monitors.amendNote, { params: { id: first.id }, body: { remark: '切换了线路' } });
    expect((await admin.get(monitors.logs, { query })).value.at(-1)).toMatchObject({
      ignored: true,
      remark: '切换了线路',
    });
    await admin.get(monitors.removeLog, { params: { id: value[0]!.id } });
    expect((await admin.get(monitors.logs, { query })).value).toHaveLength(value.length - 1);
    const { value: report } = await admin.get(monitors.report, {
      params: { id: watching.customer },
      query: { month: momentText(new Date(hour)).slice(0, 7) },
    });
    expect(report).toMatchObject({ ignored_looks: 1, deleted_looks: 1 });
    expect(report!.incidents.find((one) => one.cause === 3)).toMatchObject({ measure: '演练', minutes: 5 });
    const kept = await app.db.execute(sql`select from test_log where project_id = ${id} and is_deleted`);
    expect(kept.rows).toHaveLength(1);
  });

  test('within a window is maintenance, whatever was found', async () => {
    const { id } = await watching.project({ interval_s: 300 });
    await older(id);
    await watching.admin.get(monitors.addWindow, {
      body: {
        title: '升级',
        project_ids: [id],
        starts_at: momentText(new Date(hour + 20 * minute)),
        ends_at: momentText(new Date(hour + 40 * minute)),
      },
    });
    await write(id, [...every(0, 20, 'ok'), ...every(20, 40, 'fail'), ...every(40, 60, 'ok')]);
    await count(id);
    expect(await hourOf(id)).toMatchObject({ up_s: 2400, down_s: 0, maintenance_s: 1200, unknown_s: 0 });
    expect(await watching.incidentsOf(id)).toEqual([]);
  });

  test('is counted by the background job, which also updates the day and the month', async () => {
    const { id } = await watching.project({ interval_s: 60 });
    await older(id);
    const now = Date.now();
    await write(id, [...every(0, 45, 'ok', 1), ...every(45, 60, 'fail', 1)], now - 60 * minute);
    await watching.app.services.databases.write((tx) => tellHours(tx.$client));
    const { uptime_24h: uptime } = (await watching.admin.get(monitors.get, { params: { id } })).value!;
    expect(uptime).toBeGreaterThan(74);
    expect(uptime).toBeLessThan(76.5);
  });
});

describe('a pushed heartbeat', () => {
  test('in the last second is in time, and one that reports a failure opens an incident at once', async () => {
    const { admin, app, node, stateOf, incidentsOf } = watching;
    const { id } = await watching.project({ type: 6, target: '', interval_s: 60, retries: 5 });
    const { url } = await admin.get(monitors.renewPush, { params: { id } });
    expect((await admin.get(monitors.pushAddress, { params: { id } })).url).toBe(url);
    const path = new URL(url, 'http://x').pathname;
    expect((await app.stranger.fetch(path)).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 1 });
    // A node checks shortly before the patience ends, and the beat is there.
    await app.services.databases.pool.query(
      `update monitor_state set pushed_at = now() - interval '89 seconds' where project_id = $1`,
      [id],
    );
    const only = node('push');
    await watching.look(id);
    expect(await stateOf(id)).toMatchObject({ status: 1 });
    await app.services.databases.pool.query(
      `update monitor_state set pushed_at = now() - interval '91 seconds' where project_id = $1`,
      [id],
    );
    await watching.look(id);
    expect(await stateOf(id)).toMatchObject({ status: 2 });
    await app.stranger.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'down', msg: '备份失败' }),
    });
    expect(await incidentsOf(id)).toMatchObject([{ reason: '备份失败', end_time: null }]);
    await watching.look(id, 2);
    expect(await incidentsOf(id)).toMatchObject([{ reason: '备份失败', end_time: null }]);
    await app.stranger.fetch(path);
    expect(await incidentsOf(id)).toMatchObject([{ state: 1 }]);
    await only.stop();
    const again = (await admin.get(monitors.renewPush, { params: { id } })).url;
    expect(again).not.toBe(url);
    const looks = await watching.looksOf(id);
    expect((await app.stranger.fetch(path)).status).toBe(200);
    expect(await watching.looksOf(id)).toEqual(looks);
  });
});

describe('a chart of availability', () => {
  test('of a year reads only hours, and the list of projects reads no probe log', async () => {
    const { admin, app } = watching;
    const { id } = await watching.project();
    await app.services.databases.pool.query(
      `insert into monitor_hour (project_id, hour, up_s, down_s, unknown_s, probes, ms_sum, ms_max, hist)
       select $1, h, case when extract(hour from h) = 3 then 3000 else 3600 end, case when extract(hour from h) = 3 then 600 else 0 end, 0, 60, 6000, 180, '{0,0,0,30,30,0,0,0,0,0,0,0,0,0}'
       from generate_series(date_trunc('hour', now()) - interval '365 days', date_trunc('hour', now()), interval '1 hour') h on conflict do nothing`,
      [id],
    );
    await app.services.databases.pool.query('alter table test_log rename to test_log_away');
    try {
      const { points, uptime } = await admin.get(monitors.chart, { query: { project_id: id, span: '1y' } });
      expect(points.length).toBeGreaterThan(280);
      expect(points.length).toBeLessThanOrEqual(300);
      expect(points[100]).toMatchObject({ min: 50, median: 100, max: 180 });
      expect(uptime).toBeCloseTo(99.3, 0);
      expect((await admin.get(monitors.list, {})).value.length).toBeGreaterThan(0);
    } finally {
      await app.services.databases.pool.query('alter table test_log_away rename to test_log');
    }
    const day = await admin.get(monitors.chart, { query: { project_id: id, span: '24h' } });
    expect(day.points.length).toBeLessThanOrEqual(300);
  });

  test('gets quantiles from bucket counts that agree with sorting all answers, within a bucket', () => {
    const all = Array.from({ length: 500 }, (_one, at) => (at * 7919) % 4000);
    const hist = Array.from({ length: latencyBounds.length + 1 }, () => 0);
    for (const ms of all) {
      const at = latencyBounds.findIndex((bound) => ms < bound);
      hist[at === -1 ? latencyBounds.length : at]! += 1;
    }
    const sorted = all.toSorted((a, b) => a - b);
    for (const share of [0.5, 0.95]) {
      const exact = sorted[Math.floor(share * sorted.length)]!;
      const upper = latencyBounds.findIndex((bound) => exact < bound);
      const found = quantile(hist, share, sorted.at(-1)!)!;
      expect(found).toBeGreaterThanOrEqual(latencyBounds[upper - 1]!);
      expect(found).toBeLessThanOrEqual(latencyBounds[upper]!);
    }
    expect(quantile([0, 0], 0.5, 10)).toBeNull();
  });
});

test('statistics and the status page agree with the hours, and the page hides targets and can be closed', async () => {
  const { admin, app, origin, customer } = watching;
  const { value } = await admin.get(monitors.statistics, {});
  expect(value).toMatchObject({ summary: { monitors: expect.any(Number), incidents: expect.any(Number) } });
  const { url } = await admin.get(monitors.openStatus, { params: { id: customer } });
  const path = new URL(url, 'http://x').pathname;
  const page = await app.stranger.fetch(path);
  const text = await page.text();
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'public, max-age=30']);
  expect(text).toContain('示范大学 服务状态');
  expect(text).toContain('noindex');
  expect(text).not.toContain(new URL(origin).host);
  await admin.get(monitors.closeStatus, { params: { id: customer } });
  expect((await app.stranger.fetch(path)).status).toBe(404);
});

test('a person without access to a project gets nothing of it, and unfit settings are refused with what to do', async () => {
  const { admin, app, origin } = watching;
  const one = await watching.project();
  const other = await app.clerk(
    {
      'customer/project': ['Retrieve', 'Update'],
      'customer/record': ['Retrieve'],
      'customer/statistics': ['Retrieve'],
    },
    { dataScope: 5 },
  );
  expect((await other.get(monitors.list, {})).value).toEqual([]);
  expect((await other.get(monitors.windows, {})).value).toEqual([]);
  expect(await other.ask(monitors.probe, { params: { id: one.id }, body: {} })).toMatchObject({ code: 4004 });
  expect(((await other.get(monitors.statistics, {})).value as { summary: { monitors: number } }).summary.monitors).toBe(
    0,
  );
  const save = (body: object) =>
    admin.ask(monitors.save, { params: { id: one.id }, body: { type: 1, target: `${origin}/`, ...body } as never });
  expect((await save({ timeout_s: 60, interval_s: 60 })).msg).toContain('超时 60 秒不小于检测间隔 60 秒');
  for (const target of ['ftp://x/', `http://${'a'.repeat(64)}.com/`])
    expect((await save({ target })).msg).toContain(`监测目标“${target}”不正确`);
  expect((await save({ accepted_codes: '299-200' })).msg).toContain('范围须从小到大');
  for (const target of ['http://db.example.com:99999/', 'https://[2001:db8::1]:0/?a'])
    expect((await save({ target })).msg).toMatch(/^监测目标“.*”的端口 (99999|0) 不在 1–65535 之间/);
  expect((await save({ type: 3, target: 'db.example.com:65536' })).msg).toContain('端口 65536 不在 1–65535 之间');
  expect((await save({ type: 3, target: 'db.example.com' })).msg).toContain('db.example.com:5432');
  expect((await save({ type: 4, target: 'x.example' })).msg).toContain('fping');
  expect((await save({ type: 2 })).msg).toContain('关键字');
  const child = await watching.project({ depends_on: one.id });
  expect((await save({ depends_on: child.id })).msg).toContain('不能互相依赖');
  expect((await save({ depends_on: one.id })).msg).toContain('不能依赖它自己');
  const probed = await admin.get(monitors.probe, {
    params: { id: one.id },
    body: { settings: { type: 1, target: 'http://169.254.169.254/' } },
  });
  expect(probed).toMatchObject({ outcome: 'refused' });
  for (let time = 0; time < 6; time++) await admin.ask(monitors.probe, { params: { id: one.id }, body: {} });
  expect(await admin.ask(monitors.probe, { params: { id: one.id }, body: {} })).toMatchObject({ code: 4029 });
});
