import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';
import { access } from '#modules/platform/access/contract.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { userRoleTable } from '#modules/platform/people/tables.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { cloneTemplate, openTestApp, type Client, type TestOffice } from './testing.ts';
import { openStandby, type Standby } from './testing/standby.ts';

// The connection to the primary is cut, or hangs, while a real second server follows the first by streaming.
let standby: Standby;
let line: Line;
let app: TestOffice;
let reader: Client;
const said: { level: number; msg: string; code?: number; err?: unknown }[] = [];

beforeAll(async () => {
  standby = await openStandby(inject('databaseAdminUrl'));
  const database = await cloneTemplate();
  line = await openLine(database.url);
  const log = pino({ level: 'info' }, { write: (text) => void said.push(JSON.parse(text) as (typeof said)[number]) });
  const replicaOf = () => standby.of(database.url);
  app = await openTestApp({ database: { url: line.url, drop: database.drop }, replicaOf, log });
  reader = await app.clerk({ 'system/role': ['Retrieve'] });
}, 300_000);
afterEach(async () => {
  line.mend();
  const { databases, bus } = app.services;
  await vi.waitUntil(() => databases.saves() && bus.connected(), { timeout: 60_000 });
});
afterAll(async () => {
  await app?.close();
  line?.close();
  await standby?.close();
}, 180_000);

/** Waits until the replica has every write, and the node knows it. */
async function settled(): Promise<void> {
  const name = `mark${randomUUID().slice(0, 8)}`;
  await app.admin.get(access.addRole, { body: { name, code: name } });
  await app.services.databases.look();
  await eventually(async () => {
    const { rows } = await app.services.databases.read.execute(sql`select from ${roleTable} where name = ${name}`);
    expect(rows).toHaveLength(1);
  });
  await app.services.databases.look();
  await new Promise((done) => setTimeout(done, 1200));
}
const add = (name: string, key: string, who = app.admin) =>
  who.send(access.addRole.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name, code: name }),
  });
const outages = () => said.filter(({ msg }) => msg.startsWith('database away')).length;
const ends = () => said.filter(({ msg }) => msg.startsWith('database answers again')).length;

test(
  'while the primary is away people go on reading, writes wait for it, and the log records beginning and end',
  { timeout: 180_000 },
  async () => {
    await settled();
    said.length = 0;
    line.cut();
    for (let round = 0; round < 30; round++) {
      const [me, list] = await Promise.all([reader.send(accounts.me.path), reader.send(tickets.list.path)]);
      expect([me.status, list.status]).toEqual([200, 200]);
    }
    const read = await app.admin.send(access.roles.path);
    expect([read.status, read.headers.get('x-saving')]).toEqual([200, 'waits']);
    const key = randomUUID();
    for (let again = 0; again < 3; again++) {
      const refused = await add('held', key);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3']);
      expect(JSON.parse(refused.bytes.toString())).toEqual({
        code: 503,
        msg: '数据库正在恢复，现在只能查看、不能保存，请稍后再试',
        data: { saving_waits: true },
      });
    }
    line.mend();
    await eventually(async () => expect((await add('held', key)).status).toBe(200));
    const after = await reader.send(accounts.me.path);
    expect(after.headers.get('x-saving')).toBeNull();
    expect([outages(), ends()]).toEqual([1, 1]);
    expect(said.filter(({ err, level }) => err !== undefined || level >= 50)).toHaveLength(1);
  },
);

test('a host that accepts requests and answers nothing is noticed within seconds', { timeout: 180_000 }, async () => {
  await settled();
  line.hang();
  const begun = performance.now();
  const [read, write] = await Promise.all([reader.send(accounts.me.path), add('hung', randomUUID())]);
  expect([read.status, write.status]).toEqual([200, 503]);
  const noticed = performance.now() - begun;
  const later = performance.now();
  expect((await reader.send(tickets.list.path)).status).toBe(200);
  expect((await add('hung', randomUUID())).status).toBe(503);
  // Once the outage is known nobody waits for it again.
  expect(performance.now() - later).toBeLessThan(noticed);
});

test(
  'withdrawn permissions do not come back through a lagging replica, which is not used until it has caught up',
  { timeout: 180_000 },
  async () => {
    await settled();
    const there = new pg.Client({ connectionString: await standby.of(inject('databaseAdminUrl')) });
    await there.connect();
    try {
      await there.query('select pg_wal_replay_pause()');
      expect((await reader.ask(access.roles)).code).toBe(0);
      await app.services.databases.write(async (tx) => {
        await tx.delete(userRoleTable).where(sql`user_id = ${reader.userId}`);
        await tx.execute(sql`select pg_notify('rights', ${String(reader.userId)})`);
      });
      await eventually(async () => expect((await reader.ask(access.roles)).code).toBe(4003));
      line.cut();
      // Until the node notices the outage it uses the person's cached rights.
      await eventually(async () => {
        const refused = await reader.send(access.roles.path);
        expect(JSON.parse(refused.bytes.toString())).not.toMatchObject({ code: 0 });
        expect(refused.status).toBe(503);
      });
      for (let round = 0; round < 5; round++) expect((await reader.send(access.roles.path)).status).toBe(503);
      await there.query('select pg_wal_replay_resume()');
      await eventually(async () => expect((await reader.ask(access.roles)).code).toBe(4003));
      expect((await app.admin.ask(access.roles)).code).toBe(0);
    } finally {
      await there.query('select pg_wal_replay_resume()');
      await there.end();
    }
  },
);

test('a connection that became read-only is replaced, and the call is retried once', async () => {
  const { databases } = app.services;
  for (let each = 0; each < 3; each++)
    await databases.write((tx) => tx.execute(sql`set session characteristics as transaction read only`));
  expect((await add('elsewhere', randomUUID())).status).toBe(200);
});
