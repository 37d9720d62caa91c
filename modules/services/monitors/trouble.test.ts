import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { Unresolved } from '#kernel/server/outside/names.ts';
import { createProbes } from '#kernel/server/outside/probing.ts';
import { monitors } from './contract.ts';
import { openWatching, type Watching } from './testing/watching.ts';

let watching: Watching;
beforeAll(async () => {
  watching = await openWatching();
});
afterAll(() => watching.close());

const due = (ids: number[], at = 'now()') =>
  watching.app.services.databases.pool.query(
    `update monitor_due set next_at = ${at}, avoid_node = null where project_id = any($1)`,
    [ids],
  );
const incidents = async () => (await watching.app.db.execute(sql`select project_id, reason from test_record`)).rows;
const statuses = async (ids: number[]) =>
  new Set((await Promise.all(ids.map((id) => watching.looksOf(id)))).map((looks) => looks.at(-1)));

test('a node that loses its network leaves its probes to the other node, and no incident is opened', async () => {
  const { project, node } = watching;
  const port = new URL(watching.origin).port;
  const ids: number[] = [];
  for (let count = 1; count <= 12; count++)
    ids.push((await project({ target: `http://host${count}.example:${port}/`, retries: 0 })).id);
  const allow = ['127.0.0.0/8'];
  const lost = (name: string) => Promise.reject(new Unresolved(`找不到 ${name} 的地址`));
  const cut = { probes: createProbes({ allow, lookup: lost }), references: ['reference.example:53'] };
  const heard: boolean[] = [];
  const blind = node('cut off', { ...cut, flushMs: 1500, onBlind: (is) => heard.push(is) });
  await due(ids);
  await eventually(async () => expect(heard).toEqual([true]));
  expect(await incidents()).toEqual([]);
  const sees = node('still here', {
    probes: createProbes({ allow, lookup: async () => ['127.0.0.1'] }),
    references: [],
  });
  await eventually(async () => expect(await statuses(ids)).toEqual(new Set([1])));
  expect([await incidents(), heard]).toEqual([[], [true]]);
  await Promise.all([blind.stop(), sees.stop()]);
  await due(ids, `now() + interval '1 day'`);
});

test('a forbidden target is refused when saved, and one that becomes forbidden later is no outage', async () => {
  const { project, node, admin, stateOf } = watching;
  const { id } = await project({ retries: 0, successes: 1 });
  const body = { type: 1, target: 'http://10.1.2.3/', interval_s: 60, timeout_s: 5 };
  const saved = await admin.ask(monitors.save, { params: { id }, body: body as never });
  expect(saved.msg).toContain('不允许访问 10.1.2.3');
  const before = await incidents();
  // A target that was allowed when saved and is not any more.
  const strict = node('allowed nothing', { probes: createProbes({ allow: [] }), references: [] });
  await due([id]);
  await eventually(async () => expect((await stateOf(id)).last_msg).toContain('不允许访问'));
  await due([id]);
  await eventually(async () => expect((await watching.looksOf(id)).length).toBeGreaterThan(1));
  expect((await stateOf(id)).status).not.toBe(0);
  expect(await incidents()).toEqual(before);
  await strict.stop();
  await due([id], `now() + interval '1 day'`);
});

test('while the database hangs nothing is claimed or stored, and afterwards probing resumes without an incident', async () => {
  const { project, node, app } = watching;
  const ids: number[] = [];
  for (let count = 0; count < 5; count++) ids.push((await project({ retries: 0 })).id);
  const patient = node('waits for the database');
  await due(ids);
  await eventually(async () => expect(await statuses(ids)).toEqual(new Set([1])));
  const stalling = new pg.Client({ connectionString: app.databaseUrl });
  await stalling.connect();
  await due(ids);
  await stalling.query('begin');
  await stalling.query('lock table monitor_due, monitor_state, test_record in access exclusive mode');
  await new Promise((go) => setTimeout(go, 2000));
  await stalling.query('commit');
  await stalling.end();
  await eventually(async () =>
    expect((await Promise.all(ids.map((id) => watching.looksOf(id)))).every((looks) => looks.length >= 2)).toBe(true),
  );
  expect([await incidents(), await statuses(ids)]).toEqual([[], new Set([1])]);
  await patient.stop();
  await due(ids, `now() + interval '1 day'`);
});

test('a clock that jumps an hour opens no incident, nor does a heartbeat missed while the system was down', async () => {
  const { project, node, admin, app, origin } = watching;
  const plain = await project({ retries: 0, interval_s: 60 });
  const pushed = await project({ type: 6, target: '', interval_s: 60, retries: 0 });
  const { url } = await admin.get(monitors.renewPush, { params: { id: pushed.id } });
  await app.stranger.fetch(new URL(url, origin).pathname);
  // A node takes its rows in its own order; if that causes a deadlock, this statement is retried.
  const jump = (by: string) =>
    eventually(() =>
      app.services.databases.pool
        .query(`with due as (update monitor_due set next_at = next_at ${by}, lease_until = lease_until ${by})
        update monitor_state set pushed_at = pushed_at ${by}, last_check = last_check ${by}, since = since ${by}`),
    );
  const ids = [plain.id, pushed.id];
  await due(ids);
  const one = node('keeps time');
  await eventually(async () => expect(await statuses(ids)).toEqual(new Set([1])));
  for (const by of [`- interval '1 hour'`, `+ interval '1 hour'`]) {
    await jump(by);
    if (by.startsWith('-'))
      await eventually(async () => expect((await watching.looksOf(pushed.id)).length).toBeGreaterThan(2));
    expect(await incidents()).toEqual([]);
  }
  await one.stop();
  // No node ran for an hour, so no heartbeat could arrive.
  await jump(`- interval '1 hour'`);
  await due(ids, `now()`);
  const before = (await watching.looksOf(pushed.id)).length;
  const back = node('back again');
  await eventually(async () => expect((await watching.looksOf(pushed.id)).length).toBeGreaterThan(before));
  expect(await incidents()).toEqual([]);
  expect((await watching.stateOf(pushed.id)).status).toBe(2);
  await back.stop();
});
