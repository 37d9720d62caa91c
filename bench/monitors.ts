import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startMonitoring } from '#modules/services/monitors/probing/start.ts';
import { asOperator } from './contracts.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

const mark = '监测测量';
const every = 60;

/** Projects that are checked once a minute, spread evenly over it: at a server beside us, and some at addresses without one. */
async function fill(client: pg.Client, count: number, origin: string): Promise<void> {
  await client.query(`insert into customer_project (name, creator_id, customer_id, manager, status, service_level, search)
    select '${mark} ' || n, u.id, c.id, u.id, 1, 1, '' from generate_series(1, ${count}) n,
      (select min(id) id from app_user) u, (select min(id) id from customer) c`);
  await client.query(`insert into monitor (project_id, type, target, interval_s, timeout_s)
    select id, 1, case when id % 50 = 0 then 'http://dead-' || id || '.invalid/' when id % 50 = 1 then 'http://203.0.113.' || id % 250 || '/'
      else '${origin}/' || id end, ${every}, 10 from customer_project where name like '${mark} %'`);
  await client.query(
    `insert into monitor_state (project_id) select id from customer_project where name like '${mark} %'`,
  );
  await client.query(`insert into monitor_due (project_id, next_at)
    select id, now() + interval '5 seconds' + (row_number() over (order by id)) * interval '1 second' * ${every}::float8 / ${count}
    from customer_project where name like '${mark} %'`);
}
const mine = `select id from customer_project where name like '${mark} %'`;
async function clear(client: pg.Client): Promise<void> {
  for (const table of ['monitor_due', 'monitor_state', 'monitor_alert', 'monitor_hour', 'test_log'])
    await client.query(`delete from ${table} where project_id in (${mine})`);
  await client.query(`alter table test_record_event disable trigger test_record_event_append_only`);
  await client.query(
    `delete from test_record_event where record_id in (select id from test_record where project_id in (${mine}))`,
  );
  await client.query(`alter table test_record_event enable trigger test_record_event_append_only`);
  for (const table of ['test_record', 'monitor'])
    await client.query(`delete from ${table} where project_id in (${mine})`);
  await client.query(`delete from customer_project where id in (${mine})`);
}

/**
 * Measures two nodes with 200 places each that check many monitors once a minute: how late they write, and at what cost. One of them is repeatedly
 * killed in the middle of its checks, and another started.
 */
export async function measureMonitors(
  stage: Stage,
  [count, minutes, kills]: readonly [count: number, minutes: number, kills: number],
): Promise<Table> {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await asOperator(stage, (client) => fill(client, count, origin));
  const before = process.memoryUsage().rss;
  const given = { url: stage.database, places: 200, allow: ['127.0.0.1'] };
  const nodes = [await startMonitoring(stage.app.services, given), await startMonitoring(stage.app.services, given)];
  const commits = async (client: pg.Client) =>
    Number(
      (await client.query('select xact_commit from pg_stat_database where datname = current_database()')).rows[0]
        .xact_commit,
    );
  let rows: (string | number)[][] = [];
  await asOperator(stage, async (client) => {
    await sleep((every + 10) * 1000);
    const [began, first] = [Date.now(), await commits(client)];
    for (let kill = 0; kill < kills; kill++) {
      await sleep((minutes * 60_000) / (kills + 1));
      await nodes[kill % 2]!.kill();
      nodes[kill % 2] = await startMonitoring(stage.app.services, given);
    }
    await sleep((minutes * 60_000) / (kills + 1));
    const perSecond = ((await commits(client)) - first) / ((Date.now() - began) / 1000);
    // Each check is due at its own second of the minute, whatever it took: anything written later is late.
    const late = await client.query<{ looks: number; p50: number; p95: number; p99: number }>(`
      with due as (select project_id, extract(epoch from next_at)::float8 % ${every} phase from monitor_due where project_id in (${mine})),
        late as (select l.project_id, (extract(epoch from l.time)::float8 - phase + 3600 * 24) :: numeric % ${every} s from test_log l join due using (project_id)
          join monitor m using (project_id) where l.time > to_timestamp(${began / 1000}) and l.status = 1)
      select count(*)::int looks, percentile_cont(0.5) within group (order by s)::float8 p50, percentile_cont(0.95) within group (order by s)::float8 p95,
        percentile_cont(0.99) within group (order by s)::float8 p99 from late`);
    const twice = await client.query<{
      n: number;
    }>(`select count(*)::int n from (select project_id, time, lead(time) over (partition by project_id order by time) next
      from test_log where status = 1 and project_id in (${mine})) one where next - time < interval '10 seconds'`);
    const gap = await client.query<{
      s: number;
    }>(`select coalesce(max(extract(epoch from next - time)), 0)::float8 s from (
      select time, lead(time) over (partition by project_id order by time) next from test_log where project_id in (${mine})) one`);
    const { looks, p50, p95, p99 } = late.rows[0]!;
    rows = [
      ['晚 p50 / p95 / p99（秒，至写入）', `${shown(p50, 2)} / ${shown(p95, 2)} / ${shown(p99, 2)}`, '0.5 / 2 / 5'],
      ['看了（次/分）', shown(looks / minutes, 0), shown(count * 0.96, 0)],
      ['重复', twice.rows[0]!.n, 0],
      ['两次检测最长相隔（秒）', shown(gap.rows[0]!.s, 0), every + 10 + 12],
      ['事务（次/秒）', shown(perSecond), 12],
      ['本进程多用的内存，两个节点（MB）', shown((process.memoryUsage().rss - before) / 2 ** 20, 0), 300],
    ];
  });
  await Promise.all(nodes.map((one) => one.stop()));
  server.close();
  await asOperator(stage, clear);
  return {
    name: 'monitors',
    title: '监测',
    about: `${shown(count, 0)} 个监测每分钟一次，两个节点各 200 处，目标在本机；百分之二的名字不存在，百分之二的地址不许访问；量 ${minutes} 分钟，其间 ${kills} 次强行结束一个节点的监测线程再另起一个；量毕时机器一分钟平均负载 ${shown(loadavg()[0]!, 1)}（${availableParallelism()} 核）。`,
    columns: ['', '测得', '目标'],
    rows,
  };
}
