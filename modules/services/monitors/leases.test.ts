import { createServer, type AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { tellOfBlindness } from './alerts/blind.ts';
import { monitors } from './contract.ts';
import { apply, type Found } from './probing/apply.ts';
import { startMonitoring } from './probing/start.ts';
import { dueTable } from './tables.ts';
import { openWatching, type Watching } from './testing/watching.ts';

let watching: Watching;
beforeAll(async () => {
  watching = await openWatching();
});
afterAll(() => watching.close());
// A node left by a failed test would probe the next test's targets.
afterEach(() => watching.stopNodes());

const dueOf = async (id: number) =>
  (await watching.app.db.select().from(dueTable).where(eq(dueTable.project_id, id)))[0]!;
const set = (id: number, values: Record<string, unknown>) =>
  watching.app.services.databases.write((tx) => tx.update(dueTable).set(values).where(eq(dueTable.project_id, id)));
const found = (project_id: number, lease_no: number | null, result: Found['result']): Found => ({
  project_id,
  lease_no,
  result,
  ms: 5,
  http_code: null,
  msg: '',
  certificate: null,
});
const write = (all: Found[]) => watching.app.services.databases.write((tx) => apply(tx.$client, all));

describe('of several monitoring nodes', () => {
  test('exactly one probes each due monitor, however many are due', async () => {
    const { project, node, asks, app } = watching;
    const made: Awaited<ReturnType<typeof project>>[] = [];
    for (let count = 0; count < 30; count++) made.push(await project());
    const three = [node('a'), node('b'), node('c')];
    for (let round = 1; round <= 3; round++) {
      for (const { id } of made) await set(id, { next_at: sql`now()`, avoid_node: null });
      await eventually(async () => expect(made.map(({ path }) => asks.get(path))).toEqual(made.map(() => round)));
      await eventually(async () => {
        const { rows } = await app.db.execute(sql`select from monitor_due where lease_until is not null`);
        expect(rows).toEqual([]);
      });
    }
    const { rows } = await app.db.execute<{ count: number }>(sql`select count(*)::int count from test_log`);
    expect(rows[0]!.count).toBe(90);
    await Promise.all(three.map((one) => one.stop()));
    expect((await app.db.execute(sql`select from monitor_node`)).rows).toEqual([]);
  });

  test('one killed during a probe is replaced within its lease, and its late result changes nothing', async () => {
    const { project, node, stateOf, looksOf, release } = watching;
    const one = await project({ timeout_s: 1 });
    one.set('held');
    // A node that dies holds the lease and never writes.
    const dying = new pg.Client({ connectionString: watching.app.databaseUrl });
    await dying.connect();
    await dying.query(
      `update monitor_due set next_at = now(), lease_until = now() + interval '700 ms', lease_no = lease_no + 1, lease_node = 'dead' where project_id = $1`,
      [one.id],
    );
    const { lease_no: old } = await dueOf(one.id);
    await dying.end();
    one.set('up');
    const other = node('heir');
    await new Promise((go) => setTimeout(go, 300));
    expect(await looksOf(one.id)).toEqual([]);
    await eventually(async () => expect(await looksOf(one.id)).toEqual([1]));
    await watching.rest(one.id);
    expect(await write([found(one.id, old, 'certain')])).toBe(0);
    expect(await stateOf(one.id)).toMatchObject({ status: 1 });
    expect(await looksOf(one.id)).toEqual([1]);
    release();
    await other.stop();
  });

  test('a killed thread leaves its monitors to the next one, and none is probed twice at once', async () => {
    const { app, project, asks } = watching;
    const one = await project({ timeout_s: 1 });
    const given = { url: app.databaseUrl, places: 20, allow: ['127.0.0.0/8'], claimMs: 30 };
    for (let round = 1; round <= 3; round++) {
      const monitoring = await startMonitoring(app.services, given);
      await set(one.id, { next_at: sql`now()`, avoid_node: null });
      await eventually(async () => expect(asks.get(one.path)).toBe(round));
      await monitoring.kill();
      await set(one.id, { lease_until: sql`now()` });
    }
    const { rows } = await app.db.execute<{ twice: number }>(
      sql`select count(*)::int twice from (select from test_log where project_id = ${one.id} group by time having count(*) > 1) many`,
    );
    expect(rows[0]!.twice).toBe(0);
    await watching.rest(one.id);
  });

  test('a retry is done by another node if there is one, and otherwise by the same', async () => {
    const { project, node, look, app, rest } = watching;
    const one = await project({ retries: 3 });
    one.set('down');
    const [first, second] = [node('east'), node('west')];
    await eventually(async () =>
      expect((await app.db.execute(sql`select from monitor_node where node in ('east', 'west')`)).rows).toHaveLength(2),
    );
    await look(one.id);
    const { avoid_node: avoided } = await dueOf(one.id);
    expect(['east', 'west']).toContain(avoided);
    await (avoided === 'east' ? first : second).stop();
    await set(one.id, { next_at: sql`now()` });
    await eventually(async () => expect((await dueOf(one.id)).avoid_node).not.toBe(avoided));
    await rest(one.id);
    await Promise.all([first.stop(), second.stop()]);
  });
});

describe('a probe result', () => {
  test('made with settings that changed meanwhile is dropped', async () => {
    const { project, node, admin, release, looksOf, asks, origin } = watching;
    // The probe is still running when the settings change, however slow this machine is.
    const one = await project({ timeout_s: 60, interval_s: 300 });
    one.set('held');
    const only = node('slow');
    await set(one.id, { next_at: sql`now()` });
    await eventually(async () => expect(asks.get(one.path)).toBe(1));
    await admin.get(monitors.save, {
      params: { id: one.id },
      body: { type: 1, target: `${origin}/elsewhere`, interval_s: 600 },
    });
    release(503);
    await eventually(async () => expect(await looksOf(one.id)).toEqual([1]));
    await watching.rest(one.id);
    await only.stop();
  });

  test('of old settings is dropped, also in one batch with a result of the new settings', async () => {
    const { project, node, admin, release, looksOf, asks, origin } = watching;
    const one = await project({ timeout_s: 60, interval_s: 300 });
    one.set('held');
    node('eager', { claimMs: 1, flushMs: 5 });
    const save = (path: string) =>
      admin.get(monitors.save, {
        params: { id: one.id },
        body: { type: 1, target: `${origin}${path}`, timeout_s: 60, interval_s: 300 },
      });
    for (let round = 1; round <= 40; round++) {
      await save(one.path);
      await eventually(async () => expect(asks.get(one.path)).toBeGreaterThanOrEqual(round));
      await save('/elsewhere');
      release(503);
      await eventually(async () => expect(await looksOf(one.id)).toHaveLength(round));
    }
    expect(new Set(await looksOf(one.id))).toEqual(new Set([1]));
    await watching.rest(one.id);
  });

  test('of a monitor switched off meanwhile is dropped with its expired lease', async () => {
    const { project, admin, origin, looksOf } = watching;
    const one = await project();
    await set(one.id, { lease_until: sql`now() + interval '10 seconds'`, lease_no: 7, lease_node: 'x' });
    const body = { type: 1 as const, target: `${origin}${one.path}`, enabled: false };
    await Promise.all([admin.get(monitors.save, { params: { id: one.id }, body }), write([found(one.id, 7, 'ok')])]);
    expect(await write([found(one.id, 7, 'certain')])).toBe(0);
    expect(await watching.stateOf(one.id)).toMatchObject({ status: 9 });
    expect((await looksOf(one.id)).length).toBeLessThanOrEqual(1);
  });

  test('does not shift the schedule, and overdue probes after downtime are spread out', async () => {
    const { project, app, node, rest } = watching;
    const one = await project({ interval_s: 60 });
    await set(one.id, {
      next_at: sql`now() - interval '70 seconds'`,
      lease_until: sql`now() + interval '5 seconds'`,
      lease_no: 3,
    });
    const before = await dueOf(one.id);
    await write([found(one.id, 3, 'ok')]);
    const { rows } = await app.db.execute<{ step: number }>(
      sql`select extract(epoch from next_at - ${before.next_at}::timestamptz)::float8 step from monitor_due where project_id = ${one.id}`,
    );
    // Times are read in whole seconds.
    expect(Math.floor(rows[0]!.step)).toBe(120);
    const late: number[] = [];
    for (let count = 0; count < 20; count++) late.push((await project({ interval_s: 300 })).id);
    for (const id of late) await set(id, { next_at: sql`now() - interval '1 hour'` });
    const only = node('after a stop');
    await eventually(async () => {
      const waits = await app.db.execute<{ s: number }>(
        sql`select extract(epoch from next_at - now())::float8 s from monitor_due where project_id = any(${sql.param(late)}::int[]) order by 1`,
      );
      const [least, most] = [waits.rows[0]!.s, waits.rows.at(-1)!.s];
      expect(least).toBeGreaterThan(-5);
      expect(most - least).toBeGreaterThan(20);
    });
    await only.stop();
    for (const id of late) await rest(id);
  });

  test('is stored at midnight too, even if the day’s partition does not exist yet', async () => {
    const { app, project, look, node, looksOf } = watching;
    const one = await project();
    await app.services.databases.pool.query(`do $$ declare part text; begin
      for part in select inhrelid::regclass from pg_inherits where inhparent = 'test_log'::regclass loop execute 'drop table ' || part; end loop; end $$`);
    const only = node('midnight');
    await look(one.id);
    expect(await looksOf(one.id)).toEqual([1]);
    await only.stop();
  });

  test('that could not be stored because the database was away opens no incident', async () => {
    const { app, project, node, look, incidentsOf, looksOf } = watching;
    const one = await project();
    const errors: string[] = [];
    const only = node('patient', { onError: (error) => errors.push(error.message) });
    await look(one.id);
    await app.services.databases.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gongdan-monitor' and datname = current_database()`,
    );
    await eventually(async () => expect(errors.length).toBeGreaterThan(0));
    await look(one.id);
    expect([await incidentsOf(one.id), await looksOf(one.id)]).toEqual([[], [1, 1]]);
    await only.stop();
  });
});

test('an outage of our own network opens no incident and sends no text, tells administrators once, and probing resumes', async () => {
  const { app, project, node, incidentsOf, looksOf } = watching;
  const unreached = [];
  // A server that accepts and never answers, like a cut line.
  const silent = createServer();
  await new Promise<void>((ready) => silent.listen(0, '0.0.0.0', ready));
  const at = (silent.address() as AddressInfo).port;
  for (let count = 1; count <= 12; count++)
    unreached.push(await project({ target: `http://127.0.0.${count + 10}:${at}/`, timeout_s: 1 }));
  const steady = await project();
  const reference = createServer();
  await new Promise<void>((ready) => reference.listen(0, '127.0.0.1', ready));
  const { port } = reference.address() as AddressInfo;
  await new Promise((closed) => reference.close(closed));
  const heard: boolean[] = [];
  // All results in one write, however slow this machine is.
  const only = node('blind', {
    flushMs: 2500,
    allow: ['127.0.0.0/8', '203.0.113.0/24'],
    references: [`127.0.0.1:${port}`],
    onBlind: (blind) => heard.push(blind),
  });
  for (const { id } of unreached) await set(id, { next_at: sql`now()` });
  await eventually(async () => expect(heard).toEqual([true]));
  for (const { id } of unreached) {
    expect([await incidentsOf(id), await looksOf(id)]).toEqual([[], []]);
    await watching.rest(id);
  }
  for (let time = 0; time < 2; time++) await app.services.databases.write((tx) => tellOfBlindness(tx, 'blind'));
  const { rows } = await app.db.execute<{ title: string }>(sql`select title from msg where event = 'MONITOR_BLIND'`);
  expect(rows).toEqual([{ title: '监测节点网络异常' }]);
  await new Promise<void>((ready) => reference.listen(port, '127.0.0.1', ready));
  await set(steady.id, { next_at: sql`now()` });
  await eventually(async () => expect(await looksOf(steady.id)).toEqual([1]));
  expect(heard).toEqual([true, false]);
  reference.close();
  await only.stop();
  silent.close();
}, 180_000);
