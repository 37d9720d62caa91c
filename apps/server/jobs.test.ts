import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { cloneTemplate } from './testing.ts';
import { openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { enqueue, startJobs, type Jobs, type JobsOptions } from '#kernel/server/jobs/jobs.ts';

let base: Awaited<ReturnType<typeof cloneTemplate>>;
let databases: Databases;
const started: Jobs[] = [];

beforeAll(async () => {
  base = await cloneTemplate();
  databases = openDatabases({ url: base.url, onError: () => undefined });
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
});
afterAll(async () => {
  await databases.close();
  await base.drop();
});

async function start(options: Pick<JobsOptions, 'tasks'> & Partial<JobsOptions>): Promise<Jobs> {
  const jobs = await startJobs({ url: base.url, onError: () => undefined, ...options });
  started.push(jobs);
  return jobs;
}
const note = (heard: unknown[], name = 'note') => ({
  name,
  title: name,
  run: async (payload: unknown) => void heard.push(payload),
});
/** A task that records its payloads and runs until it is released. */
function longWork(heard: unknown[]) {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  const run = async (payload: unknown) => {
    heard.push(payload);
    if (payload === 'long work') await released;
  };
  return { works: { name: 'note', title: 'note', run }, release };
}
const longAgo = (key: string, node?: string) =>
  databases.pool.query(
    `update graphile_worker._private_jobs set locked_by = coalesce($2, locked_by), locked_at = now() - interval '1 minute'
     where key = $1`,
    [key, node ?? null],
  );

test('a job runs once after its transaction is committed, and never if that was rolled back', async () => {
  const heard: unknown[] = [];
  await start({ tasks: [note(heard)] });
  const failed = databases.write(async (tx) => {
    await enqueue(tx, 'note', 'rolled back');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await databases.write((tx) => enqueue(tx, 'note', { said: 'committed' }));
  await eventually(() => expect(heard).toEqual([{ said: 'committed' }]));
});

test('of two waiting jobs with one key only the later runs', async () => {
  const heard: unknown[] = [];
  await databases.write((tx) => enqueue(tx, 'note', 'first', { key: 'one', at: new Date(Date.now() + 60_000) }));
  await databases.write((tx) => enqueue(tx, 'note', 'second', { key: 'one' }));
  await start({ tasks: [note(heard)] });
  await eventually(() => expect(heard).toEqual(['second']));
  const { rows } = await databases.pool.query('select 1 from graphile_worker.jobs');
  expect(rows).toEqual([]);
});

test('a failing job is reported and retried', async () => {
  const attempts: number[] = [];
  const told: string[] = [];
  await start({
    onError: (error) => void told.push(error.message),
    tasks: [
      {
        name: 'shaky',
        title: 'shaky',
        run: async (_payload, { attempt }) => {
          attempts.push(attempt);
          if (attempt === 1) throw new Error('not yet');
        },
      },
    ],
  });
  await databases.write((tx) => enqueue(tx, 'shaky', null));
  await eventually(() => expect(attempts).toEqual([1, 2]));
  expect(told).toContain('not yet');
});

test('a connection lost while a job’s success is recorded breaks nothing, and the success is recorded later', async () => {
  const holder = await databases.pool.connect();
  const ran: unknown[] = [];
  try {
    const task = async (payload: unknown) => {
      ran.push(payload);
      // From here on the row is locked, so that the library waits with its own statement.
      await holder.query("begin; select from graphile_worker._private_jobs where key = 'held' for update");
    };
    await start({ tasks: [{ name: 'held', title: 'held', run: task }] });
    await databases.write((tx) => enqueue(tx, 'held', 'once', { key: 'held' }));
    // A transaction keeps its first view of the database's sessions, so another connection looks.
    const { pool } = databases;
    const waiting = async () => {
      const { rows } = await pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'gongdan-jobs' and datname = current_database()
           and cardinality(pg_blocking_pids(pid)) > 0 and query ilike 'delete from %'`,
      );
      expect(rows).toHaveLength(1);
      return rows[0]!.pid;
    };
    // Cut only once, because the library waits longer after each cut.
    await pool.query('select pg_terminate_backend($1)', [await eventually(waiting)]);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  const left = async () =>
    (await databases.pool.query("select 1 from graphile_worker._private_jobs where key = 'held'")).rows;
  await eventually(async () => expect(await left()).toEqual([]));
  expect(ran).toEqual(['once']);
}, 180_000);

test('stopping waits for running jobs', async () => {
  let begun = false;
  let ended = false;
  const jobs = await startJobs({
    url: base.url,
    onError: () => undefined,
    tasks: [
      {
        name: 'slow',
        title: 'slow',
        async run() {
          begun = true;
          await new Promise((done) => setTimeout(done, 300));
          ended = true;
        },
      },
    ],
  });
  await databases.write((tx) => enqueue(tx, 'slow', null));
  await eventually(() => expect(begun).toBe(true));
  await jobs.stop();
  expect(ended).toBe(true);
});

test('jobs taken by a dead node are given to living ones, and a living node keeps its own', async () => {
  const heard: unknown[] = [];
  const { works, release } = longWork(heard);
  await start({ tasks: [works], searchSeconds: 0.1 });
  await databases.write((tx) => enqueue(tx, 'note', 'long work', { key: 'long work' }));
  await eventually(() => expect(heard).toEqual(['long work']));
  await longAgo('long work');
  await databases.write((tx) => enqueue(tx, 'note', 'left', { key: 'left', at: new Date(Date.now() + 60_000) }));
  await longAgo('left', 'pool-of-nobody');
  await databases.pool.query(`update graphile_worker._private_jobs set run_at = now() where key = 'left'`);
  await start({ tasks: [works], searchSeconds: 0.1 });
  // The same search found it, so both have been looked at by now.
  await eventually(() => expect(heard).toEqual(['long work', 'left']));
  release();
}, 180_000);

test('nodes whose lock connections are cut keep their jobs and hold the locks again shortly', async () => {
  const heard: unknown[] = [];
  const { works, release } = longWork(heard);
  await start({ tasks: [works], searchSeconds: 0.1 });
  await start({ tasks: [works], searchSeconds: 0.1 });
  await databases.write((tx) => enqueue(tx, 'note', 'long work', { key: 'long work' }));
  await eventually(() => expect(heard).toEqual(['long work']));
  await longAgo('long work');
  const places = `from pg_stat_activity join pg_locks using (pid) where application_name = 'gongdan-place'
    and locktype = 'advisory' and granted and datname = current_database()`;
  const cut = await databases.pool.query<{ pid: number }>(`select pid, pg_terminate_backend(pid) ${places}`);
  expect(cut.rows).toHaveLength(2);
  const back = async () => {
    const { rows } = await databases.pool.query<{ pid: number }>(`select pid ${places}`);
    expect(rows.filter(({ pid }) => cut.rows.every((one) => one.pid !== pid))).toHaveLength(2);
  };
  await eventually(back);
  await new Promise((done) => setTimeout(done, 500));
  release();
  expect(heard).toEqual(['long work']);
});

test('a daily schedule missed while no node was up is made up for by one node, once', async () => {
  const heard: unknown[] = [];
  await databases.pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('daily', now() - interval '9 days', now() - interval '3 days')`,
  );
  const anHourAgo = new Date(Date.now() - 3_600_000).toLocaleTimeString('zh-CN', {
    timeZone: 'Asia/Shanghai',
    hour12: false,
  });
  const [hour, minute] = anHourAgo.split(':').map(Number);
  const schedules = [{ task: 'daily', cron: `${minute} ${hour} * * *` }];
  await start({ tasks: [note(heard, 'daily')], schedules });
  await start({ tasks: [note(heard, 'daily')], schedules });
  await eventually(() => expect(heard).toHaveLength(1));
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  await start({ tasks: [note(heard, 'daily')], schedules });
  const { rows } = await databases.pool.query('select 1 from graphile_worker.jobs');
  expect({ heard: heard.length, waiting: rows.length }).toEqual({ heard: 1, waiting: 0 });
});

test('a job that fails after a later one with its key was queued is replaced by the later one', async () => {
  const heard: unknown[] = [];
  let fail = () => {};
  const failed = new Promise<never>((_done, reject) => (fail = () => reject(new Error('changed meanwhile'))));
  failed.catch(() => undefined);
  const run = async (payload: unknown) => {
    heard.push(payload);
    if (payload === 'first') await failed;
  };
  await start({ tasks: [{ name: 'note', title: 'note', run }] });
  await databases.write((tx) => enqueue(tx, 'note', 'first', { key: 'same' }));
  await eventually(() => expect(heard).toEqual(['first']));
  await databases.write((tx) => enqueue(tx, 'note', 'second', { key: 'same' }));
  await eventually(() => expect(heard).toEqual(['first', 'second']));
  fail();
  await eventually(async () => {
    const { rows } = await databases.pool.query('select last_error from graphile_worker.jobs');
    expect(rows).toEqual([]);
  });
});
