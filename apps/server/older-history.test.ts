import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import Fastify from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { historyFile, keepHistory, openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { olderThan, readHistory, type Facts } from '#kernel/server/db/primary/history.ts';
import { migrate } from '#kernel/server/db/migrate.ts';
import { startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { readConfig } from '#kernel/server/process/config.ts';
import { createMetrics } from '#kernel/server/process/metrics.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';
import { builtServer } from '../../scripts/run-build.mjs';
import { checkDatabase } from './doctor-checks.ts';
import { addHealth } from './health.ts';

// One address, behind which a server is replaced by an earlier copy of its own folder, as an administrator or a cluster would do.
let home: string;
let dataDir: string;
let line: Line;
let server: Awaited<ReturnType<typeof startEmbedded>>;
const opened: Databases[] = [];
const nodeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-node-'));
  folders.push(folder);
  return folder;
};
const folders: string[] = [];

const start = async () => {
  server = await startEmbedded({ dataDir, log: () => {} });
  line?.lead(server.url);
};
/** Opens another node on the same address, which shares no memory with the first. */
let nodes = 0;
function openNode(folder: string): { databases: Databases; url: string; aged: (string | null)[] } {
  const url = `${line.url}?application_name=node${++nodes}`;
  const aged: (string | null)[] = [];
  keepHistory(url, folder);
  const databases = openDatabases({
    url,
    size: 2,
    onError: () => undefined,
    onOlder: (older) => aged.push(older?.message ?? null),
  });
  opened.push(databases);
  return { databases, url, aged };
}
const put = (databases: Databases, key: string) =>
  databases.write((tx) => tx.execute(sql`insert into setting (key, value) values (${key}, '{}')`));
/** Writes, and waits until the database is marked after it and the node has the mark on its disk. */
async function putMarked(databases: Databases, folder: string, key: string): Promise<void> {
  const marks = () => readHistory(historyFile(folder))?.mark?.id ?? 0;
  await put(databases, key);
  const before = marks();
  await databases.write((tx) => tx.execute(sql`update setting set version = version + 1 where key = ${key}`));
  await eventually(() => expect(marks()).toBeGreaterThan(before));
}
const keys = async ({ fresh }: Databases) =>
  (await fresh.execute<{ key: string }>(sql`select key from setting order by key`)).rows.map(({ key }) => key);
const swap = async (from: string) => {
  await server.stop();
  const cluster = join(dataDir, 'postgres', 'cluster');
  renameSync(cluster, join(home, `away-${++nodes}`));
  cpSync(from, cluster, { recursive: true, preserveTimestamps: true });
  chmodSync(cluster, 0o700);
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', '--reference', join(home, `away-${nodes}`), cluster]);
  await start();
};

/** Advances a server's log as its own maintenance does. */
async function walk(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client
    .query("select pg_logical_emit_message(true, 'upkeep', repeat('x', 1000000))")
    .finally(() => client.end());
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'gongdan-history-'));
  chmodSync(home, 0o711);
  dataDir = join(home, 'data');
  await start();
  line = await openLine(server.url);
  await migrate(server.url);
}, 300_000);
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  line?.close();
  await server?.stop();
  for (const folder of [home, ...folders]) rmSync(folder, { recursive: true, force: true });
}, 120_000);

test(
  'a database restored to an older state is readable but not writable on every node, until an administrator accepts it',
  { timeout: 300_000 },
  async () => {
    const folder = nodeFolder();
    const first = openNode(folder);
    await putMarked(first.databases, folder, 'before');
    const old = join(home, 'old');
    await server.stop();
    cpSync(join(dataDir, 'postgres', 'cluster'), old, { recursive: true, preserveTimestamps: true });
    await start();
    await eventually(() => expect(first.databases.saves()).toBe(true));
    await putMarked(first.databases, folder, 'acknowledged');
    expect(first.aged).toEqual([]);

    // The same server after a crash is not an older one.
    await server.stop();
    await start();
    await eventually(() => expect(first.databases.saves()).toBe(true));
    await putMarked(first.databases, folder, 'after');

    const newest = join(home, `away-${nodes + 1}`);
    await swap(old);
    await eventually(() => expect(first.databases.older()).not.toBeNull());
    expect(first.databases.saves()).toBe(false);
    await expect(put(first.databases, 'lost')).rejects.toThrow(/older history/);
    await expect(first.databases.pool.query('select 1')).rejects.toThrow(/older history/);
    expect(await keys(first.databases)).toContain('before');
    expect(first.aged).toHaveLength(1);
    // The probe and the doctor show the reason to administrators.
    const probe = Fastify();
    const { fresh: reading, older } = first.databases;
    addHealth(probe, { pool: reading.$client, older, metrics: createMetrics(() => null), metricsToken: undefined });
    await eventually(async () =>
      expect(await probe.inject('/readyz')).toMatchObject({
        statusCode: 200,
        body: expect.stringContaining('read-only: ') as string,
      }),
    );
    await probe.close();
    const config = readConfig({ DATABASE_URL: server.url, DATA_DIR: folder });
    expect(await checkDatabase(config)).toContainEqual({
      level: 'fail',
      text: expect.stringContaining('数据库的内容比本系统最后见过的旧') as string,
    });

    // Known only from the file on its disk, before the node has written anything.
    await expect(migrate(openNode(folder).url)).rejects.toThrow('npm run accept-history');
    // The server's own maintenance moves it past the known position without any writes: it is still older.
    await walk(server.url);
    await first.databases.look();
    expect(first.databases.older()).not.toBeNull();
    // Told by its neighbour: its own disk knows nothing.
    const fresh = openNode(nodeFolder());
    await eventually(() => expect(fresh.databases.older()).not.toBeNull());

    // The previous server returns: nobody has to accept anything.
    await swap(newest);
    await eventually(() => expect([first, fresh].every(({ databases }) => databases.saves())).toBe(true));
    expect(await keys(first.databases)).toEqual(expect.arrayContaining(['acknowledged', 'after', 'before']));
    expect(first.aged.at(-1)).toBeNull();

    await swap(old);
    await eventually(() => expect(first.databases.older()).not.toBeNull());
    const command = (input: string) =>
      spawnSync(process.execPath, [builtServer(join(import.meta.dirname, '../..'), 'accept-history')], {
        env: { PATH: process.env['PATH'], DATABASE_URL: server.url, DATA_DIR: folder },
        input,
        encoding: 'utf8',
      });
    expect(command('\n').stderr).toContain('什么也没有改变');
    expect(first.databases.saves()).toBe(false);
    expect(command('接受\n')).toMatchObject({ status: 0, stderr: '' });
    await eventually(() => expect([first, fresh].every(({ databases }) => databases.saves())).toBe(true));
    await put(first.databases, 'since');
    // The server that was given up now counts as the older one.
    await swap(newest);
    await eventually(() => expect(first.databases.older()).not.toBeNull());
    expect(readFileSync(historyFile(folder), 'utf8')).not.toContain('password');
  },
);

test('older means another server, a lower timeline, an earlier position or a missing mark, but not a promotion or a cleared mark', async () => {
  const mark = { id: 9, uuid: 'm', epoch: 'e', timeline: 4, position: '1/400' };
  const known = { system: '7', timeline: 4, position: '1/500', mark };
  /** A simulated server with these marks, the newest of them with this id. */
  const isOlder = async (found: Facts, marks: string[], newest = 9) => {
    const answer = (text: string) =>
      text.includes('pg_control_system')
        ? [found]
        : text.startsWith('select exists')
          ? [{ is: marks.includes('m') || (marks.includes('e') && newest > 5009) }]
          : marks.filter((one) => one === 'm').map(() => ({ ...mark, accepted: false }));
    const client = { query: async (text: string) => ({ rows: answer(text) }) };
    return (await olderThan(client as never, known)) !== null;
  };
  expect(await isOlder({ system: '8', timeline: 9, position: '9/0' }, ['e', 'm'])).toBe(true);
  expect(await isOlder({ system: '7', timeline: 3, position: '9/0' }, ['e', 'm'])).toBe(true);
  expect(await isOlder({ system: '7', timeline: 4, position: '1/4F0' }, ['e', 'm'])).toBe(true);
  expect(await isOlder({ system: '7', timeline: 4, position: '1/900' }, ['e'])).toBe(true);
  expect(await isOlder({ system: '7', timeline: 5, position: '1/900' }, ['e'])).toBe(true);
  expect(await isOlder({ system: '7', timeline: 5, position: '9/0' }, [], 9000)).toBe(true);
  expect(await isOlder({ system: '7', timeline: 4, position: '1/500' }, ['e', 'm'])).toBe(false);
  expect(await isOlder({ system: '7', timeline: 5, position: '1/4F0' }, ['e', 'm'])).toBe(false);
  expect(await isOlder({ system: '7', timeline: 4, position: '1/900' }, ['e'], 9000)).toBe(false);
});
