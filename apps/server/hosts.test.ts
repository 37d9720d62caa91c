import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openStandby, type Standby } from './testing/standby.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { addressIn, HostClient, hostsOf } from '#kernel/server/db/primary/hosts.ts';

let standby: Standby;
let line: Line;
beforeAll(async () => {
  standby = await openStandby(inject('databaseAdminUrl'));
  line = await openLine(inject('databaseUrl'));
}, 180_000);
afterAll(async () => {
  line.close();
  await standby.close();
}, 180_000);

test('an address may name several hosts, in PostgreSQL’s own notation', () => {
  const address = addressIn(
    'postgres://me:p%40@a,b:5433,[::1]:5434/oa?sslmode=disable&target_session_attrs=read-write',
  )!;
  expect(address.hosts.map(address.at)).toEqual([
    'postgres://me:p%40@a:5432/oa?sslmode=disable',
    'postgres://me:p%40@b:5433/oa?sslmode=disable',
    'postgres://me:p%40@[::1]:5434/oa?sslmode=disable',
  ]);
  expect(address.want).toBe('write');
  expect(addressIn('postgres://a/oa?target_session_attrs=any')!.at({ host: '', port: 0 })).toBe('postgres://a/oa');
  for (const wrong of ['postgres://a,/oa', 'postgres://a:x,b/oa', 'mysql://a,b/oa', 'a,b'])
    expect(addressIn(wrong)).toBeNull();
});

test('when the standby used for reading fails with the primary, another one is used at once', async () => {
  const way = new URL(await standby.of(inject('databaseUrl')));
  const lines = [await openLine(way.href), await openLine(way.href)];
  const hosts = lines.map(({ url }) => new URL(url).host).join(',');
  const url = line.url;
  const readUrl = `postgres://${way.username}:${way.password}@${hosts}${way.pathname}?target_session_attrs=prefer-standby`;
  const databases = openDatabases({ url, readUrl, onError: () => undefined });
  const read = () => databases.read.execute(sql`select`);
  // A segment that was only begun contains nothing that a standby could lack.
  const keeper = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  await keeper.connect();
  await keeper.query('select pg_switch_wal()');
  await keeper.end();
  try {
    for (const one of lines) {
      await databases.look();
      await eventually(async () => expect([databases.replicaUp(), databases.saves()]).toEqual([true, true]));
      await read();
      // The last write is on its way.
      await new Promise((done) => setTimeout(done, 300));
      line.cut();
      one.cut();
      // Like a call: a read that fails because of a replica is repeated on the primary, or on its substitute.
      const answer = read().catch((error: unknown) => {
        if (!databases.replicaFailed(error)) throw error;
        return databases.fresh.execute(sql`select`);
      });
      await expect(answer).resolves.toBeDefined();
      line.mend();
      one.mend();
    }
  } finally {
    line.mend();
    await databases.close();
    for (const one of lines) one.close();
  }
});

test(
  'writes go to the host that accepts them, follow a promotion, and stay there when the old primary returns',
  { timeout: 180_000 },
  async () => {
    const own = new URL(line.url);
    const other = new URL(await standby.of(inject('databaseUrl')));
    const url = `postgres://${own.username}:${own.password}@127.0.0.1:1,${other.host},${own.host}${own.pathname}?target_session_attrs=read-write`;
    const databases = openDatabases({ url, onError: () => undefined });
    const where = () =>
      databases.write(async (tx) => {
        const { rows } = await tx.execute<{ port: string }>(sql`select current_setting('port') as port`);
        return rows[0]!.port;
      });
    try {
      const first = await where();
      expect(first).not.toBe(other.port);
      line.cut();
      await eventually(() => expect(databases.saves()).toBe(false));
      await expect(where()).rejects.toThrow('the database is away');
      const admin = new pg.Client({ connectionString: await standby.of(inject('databaseAdminUrl')) });
      await admin.connect();
      // Cleanup on the primary may cancel the first try.
      await admin.query('select pg_promote()').catch(() => admin.query('select pg_promote()'));
      await admin.end();
      await eventually(async () => expect(await where()).toBe(other.port));
      // Nobody has told the old server that it is no longer primary.
      line.mend();
      hostsOf(url).cut();
      await eventually(async () => expect(await where()).toBe(other.port));
      // A node that knows nothing yet does not use it either: the promotion left it behind.
      const fresh = new HostClient({ hosts: hostsOf(`${url}&application_name=another`) });
      await fresh.connect();
      expect(fresh.port).toBe(Number(other.port));
      await fresh.end();
    } finally {
      await databases.close();
    }
  },
);
