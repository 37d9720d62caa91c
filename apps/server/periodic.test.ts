import { pino } from 'pino';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openDatabases, type Databases, type Db } from '#kernel/server/db/db.ts';
import { startPeriodic } from '#kernel/server/jobs/periodic.ts';
import { createLocalStore } from '#kernel/server/files/storage.ts';
import { periodicJobs } from './periodic-jobs.ts';
import { cloneTemplate } from './testing.ts';

let base: Awaited<ReturnType<typeof cloneTemplate>>;
let databases: Databases;

beforeAll(async () => {
  base = await cloneTemplate();
  databases = openDatabases({ url: base.url, onError: () => undefined });
});
afterAll(async () => {
  await databases.close();
  await base.drop();
});

const touch = (tx: Db) => tx.execute(sql`update app_user set sort = sort where username = 'admin'`);

test('a job whose rows are locked by others says so once, does not count as failed, and gets through later', async () => {
  let turns = 0;
  let through = 0;
  const waited: string[] = [];
  const failed: Error[] = [];
  const job = {
    name: 'touch',
    title: '样本',
    everySeconds: 0.01,
    run: async (tx: Db) => {
      turns += 1;
      await tx.execute(sql`set local lock_timeout = '20ms'`);
      await touch(tx);
      through += 1;
      return false;
    },
  };
  let periodic: ReturnType<typeof startPeriodic> | undefined;
  await databases.beside(async (holder) => {
    await touch(holder);
    periodic = startPeriodic(databases, [job], {
      failed: (error) => void failed.push(error),
      waits: (name) => void waited.push(name),
    });
    await eventually(() => expect(turns).toBeGreaterThan(2));
    expect([waited, through]).toEqual([['touch'], 0]);
  });
  await eventually(() => expect(through).toBeGreaterThan(0));
  await periodic?.stop();
  expect([waited, failed]).toEqual([['touch'], []]);
});

test('any other failure of a periodic job is reported each time, and the job continues at its next turn', async () => {
  let turns = 0;
  const failed: string[] = [];
  const job = {
    name: 'stumble',
    title: '样本',
    everySeconds: 0.01,
    run: async () => {
      turns += 1;
      if (turns < 3) throw new Error(`stumbled ${turns}`);
      return false;
    },
  };
  const periodic = startPeriodic(databases, [job], {
    failed: (error) => void failed.push(error.message),
    waits: () => undefined,
  });
  await eventually(() => expect(turns).toBeGreaterThan(3));
  await periodic.stop();
  expect(failed).toEqual(['stumbled 1', 'stumbled 2']);
});

test('expired attempts, answered writes of yesterday and old sessions are removed, and those in use are kept', async () => {
  const { pool } = databases;
  await pool.query(`insert into attempt (kind, subject, count, expires_at)
    select 'spent', n::text, 1, now() - interval '1 second' from generate_series(1, 1001) n
    union all select 'spent', 'kept', 1, now() + interval '1 minute'`);
  await pool.query(`insert into idempotency_record (user_id, key, call, fingerprint, gmt_created)
    select 1, n || ' hours', 'call', '', now() - make_interval(hours => n) from unnest(array[23, 25]) n`);
  await pool.query(`insert into session (user_id, session_version, ip, ua, expires_at)
    select id, n, '', '', now() - make_interval(hours => n) from app_user, unnest(array[-1, 23, 25]) n where username = 'admin'`);
  const job = periodicJobs({
    store: createLocalStore('unused'),
    log: pino({ level: 'silent' }),
  }).find(({ name }) => name === 'purge what is spent')!;
  expect(job.everySeconds).toBe(3600);
  const turn = () => databases.write((tx) => job.run(tx));
  expect([await turn(), await turn()]).toEqual([true, false]);
  const left = async (text: string) => (await pool.query(text)).rows.map((row) => row.left);
  expect(await left(`select subject as left from attempt where kind = 'spent'`)).toEqual(['kept']);
  expect(await left('select key as left from idempotency_record')).toEqual(['23 hours']);
  expect(await left('select session_version as left from session order by 1')).toEqual([-1, 23]);
});

test('a kind of job removed in a later version disappears from the list when that version starts', async () => {
  const names = async () =>
    (await databases.pool.query<{ name: string }>('select name from job_run order by name')).rows.map(
      ({ name }) => name,
    );
  await databases.pool.query('delete from job_run');
  await databases.pool.query(`insert into job_run (name, title, every_seconds, started_at, ms)
    values ('gone', '旧的', 60, now(), 1), ('kept', '样本', 60, now(), 1), ('queued', '排队的', null, now(), 1)`);
  const job = { name: 'kept', title: '样本', everySeconds: 60, run: () => Promise.resolve(false) };
  const periodic = startPeriodic(databases, [job], { failed: () => undefined, waits: () => undefined });
  await periodic.stop();
  expect(await names()).toEqual(['kept', 'queued']);
});
