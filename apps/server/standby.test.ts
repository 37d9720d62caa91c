import { pino } from 'pino';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { access } from '#modules/platform/access/contract.ts';
import { openTestApp, type Client, type TestOffice } from './testing.ts';
import { openStandby, type Standby } from './testing/standby.ts';

// A real second server that follows the first by streaming, stopped and started while the product runs.
let standby: Standby;
let app: TestOffice;
let reader: Client;
const said: string[] = [];

beforeAll(async () => {
  standby = await openStandby(inject('databaseAdminUrl'));
  const log = pino({ level: 'info' }, { write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg) });
  app = await openTestApp({ replicaOf: standby.of, log });
  // Always the same node, because each notices the end of the replica by itself.
  reader = (await app.signIn('admin')).at(app.nodes[0]!);
}, 300_000);
afterAll(async () => {
  await app?.close();
  await standby?.close();
}, 180_000);

const names = async () => (await reader.get(access.roles, { query: { per_page: 100 } })).value.map((row) => row.name);
const add = (name: string) => app.admin.get(access.addRole, { body: { name, code: name } });
const metric = async () => /^gongdan_replica_up (\d)/m.exec(await (await reader.fetch('/metrics')).text())?.[1];
/** Each node reports an event once, as soon as it knows. */
const isSaidOnce = (what: string) => {
  const times = said.filter((line) => line === what).length;
  expect(times).toBeGreaterThan(0);
  expect(times).toBeLessThanOrEqual(app.nodes.length);
};

/** Pauses the replica's replay as the superuser there, so that reads from it can be recognised. */
async function replay(word: 'pause' | 'resume'): Promise<void> {
  const client = new pg.Client({ connectionString: await standby.of(inject('databaseAdminUrl')) });
  await client.connect();
  await client.query(`select pg_wal_replay_${word}()`);
  if (word === 'pause')
    await eventually(async () => {
      const { rows } = await client.query<{ state: string }>('select pg_get_wal_replay_pause_state() as state');
      expect(rows[0]?.state).toBe('paused');
    });
  await client.end();
}

test(
  'lists come from the replica, from the primary while it is away, and from the replica again',
  { timeout: 300_000 },
  async () => {
    expect(await metric()).toBe('1');
    await add('first');
    await eventually(async () => expect(await names()).toContain('first'));
    await replay('pause');
    await add('second');
    expect(await names()).not.toContain('second');

    await standby.stop();
    for (let one = 0; one < 20; one++) expect(await names()).toContain('second');
    expect(await metric()).toBe('0');
    isSaidOnce('replica lost: reads go to the primary');

    await standby.start();
    await eventually(async () => expect(await metric()).toBe('1'));
    isSaidOnce('replica answers again');
    await eventually(async () => expect(await names()).toContain('second'));
    await replay('pause');
    await add('third');
    expect(await names()).not.toContain('third');
    await replay('resume');
    await eventually(async () => expect(await names()).toContain('third'));
  },
);

test('a read aborted by the replica is repeated on the primary', { timeout: 180_000 }, async () => {
  const url = await standby.of(app.databaseUrl);
  const client = new pg.Client({ connectionString: await standby.of(inject('databaseAdminUrl')) });
  await client.connect();
  let over = false;
  const breaking = (async () => {
    while (!over) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'gongdan'`,
        [new URL(url).pathname.slice(1)],
      );
    }
  })();
  for (let one = 0; one < 40; one++) expect(await names()).toContain('third');
  over = true;
  await breaking;
  await client.end();
});
