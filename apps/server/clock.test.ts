import Fastify from 'fastify';
import pg from 'pg';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { createMetrics } from '#kernel/server/process/metrics.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { post } from '#modules/platform/deliveries/service.ts';
import { openReceiver, type Receiver } from '#modules/platform/deliveries/testing/receiver.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { repairCast } from '#modules/workflow/tickets/testing/repair.ts';
import { addHealth } from './health.ts';
import { periodicJobs } from './periodic-jobs.ts';
import { openTestApp, type TestOffice } from './testing.ts';

// The machine's clock jumps; the database's does not.
const hour = 3_600_000;
const jump = (hours: number) => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * hour });
};
const rows = async <R extends Record<string, unknown>>(text: string) =>
  (await app.services.databases.pool.query<R>(text)).rows;

vi.setConfig({ testTimeout: 180_000 });
let app: TestOffice;
let receiver: Receiver;
beforeAll(async () => {
  [app, receiver] = await Promise.all([openTestApp({ outgoingAllow: ['127.0.0.1'] }), openReceiver()]);
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await app.close();
  receiver.close();
});

test('a session lasts by the database’s clock, however the server’s clock jumps', async () => {
  const person = await app.signIn(await app.person());
  for (const hours of [2, -2]) {
    jump(hours);
    expect((await person.ask(accounts.me)).code).toBe(0);
  }
  vi.useRealTimers();
  expect((await person.ask(accounts.me)).code).toBe(0);
  jump(-2);
  await rows(`update session set expires_at = now() - interval '1 second' where user_id = ${person.userId}`);
  await eventually(async () => expect((await person.ask(accounts.me)).code).toBe(401));
});

test('a verification code just requested is not treated as expired', async () => {
  const phone = '13900007001';
  jump(2);
  const code = { phone, code: '123456', scene: 'login', minutes: 5, reachable: true } as const;
  await app.services.databases.write((tx) => app.services.sendCode(tx, code));
  const mark = app.services.secretBox.keyedHash(phone);
  await eventually(async () => {
    // An outdated message is withheld before a provider is looked for; none is configured here.
    const tried = { state: 3, provider_msg: '未设置短信服务商，没有发出' };
    expect(await rows(`select state, provider_msg from sms_log where mobile_mark = '${mark}'`)).toEqual([tried]);
  });
});

test('a timer and a deadline run out by the database’s clock, and not earlier', async () => {
  const { begin } = await repairCast(app);
  const { id } = await begin();
  const stands = () =>
    rows<{ early: boolean; overdue: number | null }>(`select timer_at > now() + interval '50 minutes' early,
      overdue_visit overdue from ticket_token where ticket_id = ${id} and status = 'active'`);
  await rows(`update ticket_token set timer_at = now() + interval '1 hour',
    decision_deadline = now() + interval '1 hour' where ticket_id = ${id}`);
  const acts = periodicJobs({ store: app.services.fileStore.store, log: app.services.log }).filter(({ name }) =>
    ['act on overdue tickets', 'act on ticket timers'].includes(name),
  );
  expect(acts).toHaveLength(2);
  jump(2);
  for (const act of acts) await app.services.databases.write((tx) => act.run(tx));
  expect(await stands()).toEqual([{ early: true, overdue: null }]);
  jump(-2);
  await rows(`update ticket_token set decision_deadline = now() - interval '1 minute' where ticket_id = ${id}`);
  for (const act of acts) await app.services.databases.write((tx) => act.run(tx));
  expect((await stands())[0]!.overdue).not.toBeNull();
});

test('readiness is checked again even if the clock went back', async () => {
  const pool = new pg.Pool({ connectionString: app.databaseUrl });
  const server = Fastify();
  addHealth(server, { pool, metrics: createMetrics(() => null), metricsToken: undefined });
  try {
    const status = async () => (await server.inject('/readyz')).statusCode;
    expect(await status()).toBe(200);
    jump(-1);
    await pool.end();
    await eventually(async () => expect(await status()).toBe(503));
  } finally {
    await server.close();
  }
});

test('deliveries are sent and retried by the database’s clock', async () => {
  const reader = await app.signIn(await app.person());
  await rows(`update app_user set email = 'r@example.com' where id = ${reader.userId}`);
  await reader.get(messages.keepPreference, { body: { events: { NOTICE: ['mail'] } } });
  const author = await app.clerk({ 'msg/send': ['Create'] });
  jump(1);
  await author.get(messages.send, {
    body: { title: '通知', content: '通知', recipients: { users: [reader.userId] } } as never,
  });
  await eventually(async () => {
    expect(await rows(`select channel from delivery where user_id = ${reader.userId}`)).toEqual([{ channel: 'mail' }]);
  });
  receiver.answer = { status: 503, body: '' };
  const payload = {
    channel: 'hook',
    target: receiver.url,
    title: '通知',
    body: { payload: {} },
    key: 'later',
  } as const;
  await app.services.databases.write((tx) => post(tx, [payload]));
  const waiting = () =>
    app.db.execute<{ late: number }>(sql`
      select abs(extract(epoch from job.run_at - d.due_at))::float8 late from delivery d
      join graphile_worker.jobs job on job.key = 'delivery:' || d.id where d.state = 'retrying'`);
  await eventually(async () => expect((await waiting()).rows).toHaveLength(1));
  expect((await waiting()).rows[0]!.late).toBeLessThan(60);
});

test('with a clock five minutes off the server uses the database’s time, and the difference is reported', async () => {
  const reader = await app.signIn(await app.person());
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 });
  const {
    rows: [now],
  } = await app.db.execute<{ at: number }>(sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`);
  expect(Math.abs(houseNow().getTime() - now!.at)).toBeLessThan(1000);
  expect(Date.now() - now!.at).toBeGreaterThan(4 * 60_000);
  await eventually(() => expect(app.services.databases.ahead()).toBeGreaterThan(4 * 60_000));
  expect((await reader.ask(accounts.me)).code).toBe(0);
});

test('a node whose clock is half a minute off does not start, and says which way', async () => {
  vi.useRealTimers();
  for (const [off, way] of [
    [60_000, '快'],
    [-60_000, '慢'],
  ] as const) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off });
    await expect(app.secondNode()).rejects.toThrow(new RegExp(`本机时钟比数据库${way} (59|60|61) 秒，没有启动`));
    vi.useRealTimers();
  }
});
