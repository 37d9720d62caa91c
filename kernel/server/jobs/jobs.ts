import { houseZone } from '#kernel/contract/moment.ts';
import { houseNow } from '../process/clock.ts';
import { EventEmitter } from 'node:events';
import { and, count, isNotNull, isNull, sql } from 'drizzle-orm';
import { bigint, pgSchema, smallint, text } from 'drizzle-orm/pg-core';
import { Logger, run, runMigrations, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { moment } from '../db/columns.ts';
import type { Db } from '../db/db.ts';
import { holdPlace, searchForTheDead } from './job-places.ts';
import { isLost } from '../db/lost.ts';
import { hostsOf, poolOf } from '../db/primary/hosts.ts';
import { createRunNotes } from './run-notes.ts';
import { cronItems, type Schedule } from './schedules.ts';

/** One kind of background work, done by whichever node takes it first. */
export interface Task<P = unknown> {
  name: string;
  /** The title that people see. */
  title: string;
  /** May run again after a crash and must tolerate that. A thrown error is tried again at growing intervals. `attempt` counts from 1. */
  run(payload: P, job: { attempt: number; now: Date }): Promise<void>;
}

export interface JobOptions {
  /** A second job with the same key replaces one that waits; one that is running is never tried again, however it ends. */
  key?: string;
  at?: Date;
  /** Tries before the job counts as dead; 25 unless given. */
  attempts?: number;
  /** For a payload that is a list: a later job of the key adds to it and keeps its time. */
  gathers?: boolean;
  /** Jobs of one queue run one after the other, on any node. */
  queue?: string;
  /** The smaller number goes first; 0 unless given. */
  priority?: number;
}

/** Queues a job in the caller's transaction: nothing is queued if it rolls back. The payload is JSON. */
export async function enqueue(tx: Db, task: string, payload: unknown, options: JobOptions = {}): Promise<void> {
  await enqueueAll(tx, task, [{ payload, ...options }]);
}

/** Queues many jobs at once. */
export async function enqueueAll(
  tx: Db,
  task: string,
  jobs: readonly ({ payload: unknown } & JobOptions)[],
): Promise<void> {
  if (jobs.length === 0) return;
  await tx.execute(sql`
    select graphile_worker.add_job(identifier => ${task}, payload => job.payload, run_at => job.at,
      max_attempts => job.attempts, job_key => job.key, queue_name => job.queue, priority => job.priority,
      job_key_mode => case when job.gathers then 'preserve_run_at' else 'replace' end)
    from json_to_recordset(${JSON.stringify(jobs)})
      as job(payload json, at timestamptz, attempts int, key text, queue text, priority int, gathers boolean)`);
}

/** The library's own view of the queue. */
export const jobView = pgSchema('graphile_worker')
  .view('jobs', {
    id: bigint('id', { mode: 'number' }).notNull(),
    task: text('task_identifier').notNull(),
    tries: smallint('attempts').notNull(),
    most: smallint('max_attempts').notNull(),
    due: moment('run_at').notNull(),
    error: text('last_error'),
    created: moment('created_at').notNull(),
    lockedAt: moment('locked_at'),
  })
  .existing();
/** It threw, and waits for another try or is dead. */
export const failedJob = and(isNotNull(jobView.error), isNull(jobView.lockedAt));
/** It is never tried again. */
export const deadJob = sql<boolean>`(${jobView.tries} >= ${jobView.most})`;

export async function countDead(tx: Db): Promise<number> {
  const [found] = await tx.select({ n: count() }).from(jobView).where(and(failedJob, deadJob));
  return found!.n;
}

/** Restarts a failed job with its tries reset; false if it was no longer failed. */
export async function runAgain(tx: Db, id: number): Promise<boolean> {
  const [found] = await tx
    .select({ id: jobView.id })
    .from(jobView)
    .where(and(failedJob, sql`${jobView.id} = ${id}`));
  if (!found) return false;
  const { rowCount } = await tx.execute(
    sql`select graphile_worker.reschedule_jobs(job_ids => array[${id}]::bigint[], run_at => now(), attempts => 0)`,
  );
  return rowCount === 1;
}

/** Brings the queue's schema to the version of its library. */
export async function migrateJobs(url: string): Promise<void> {
  const pgPool = new pg.Pool({ ...poolOf(hostsOf(url)), max: 2 });
  // An error reaches the code that awaits the answer anyway.
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  await runMigrations({ pgPool, logger: new Logger(() => () => undefined) }).finally(() => pgPool.end());
}

export interface JobsOptions {
  url: string;
  tasks: readonly Task[];
  schedules?: readonly Schedule[];
  now?: () => Date;
  /** Jobs that run at once on this node. */
  concurrency?: number;
  /** The interval at which jobs of dead nodes are looked for. */
  searchSeconds?: number;
  onError(error: Error, what: string): void;
}

export interface Jobs {
  /** Waits for what is running and starts nothing more. */
  stop(): Promise<void>;
}

/** The library knows that a retry may help for this code; here it means "the server is starting". */
const tryLater = '57P03';

/**
 * Nobody awaits the statement by which the library records a finished job: a connection lost just then would end the process. If it is told that the
 * database is starting, the library tries again a few seconds later. If the pool has ended by then, that try gets no answer instead of an error that
 * nobody awaits either: the job is found by whoever looks for those of dead nodes.
 */
export function tryAgain(pool: pg.Pool): void {
  const later = (error: unknown): never => {
    throw isLost(error) ? Object.assign(error as Error, { code: tryLater }) : error;
  };
  // With a callback these methods return nothing: the pool uses that form itself, and only awaited calls are changed.
  const patiently =
    (of: object, ask: (...given: never[]) => unknown) =>
    (...given: unknown[]) =>
      (Reflect.apply(ask, of, given) as Promise<unknown> | undefined)?.catch(later);
  const connect = patiently(pool, pool.connect);
  const unanswered = new Promise<never>(() => undefined);
  pool.connect = ((...given: unknown[]) =>
    pool.ending && given.length === 0 ? unanswered : connect(...given)) as typeof pool.connect;
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    client.query = patiently(client, client.query) as typeof client.query;
  });
}

/** True if a later job of the key arrived while this one ran: the later one does the work, and this one is not tried again. */
async function isReplaced(pool: pg.Pool, id: string): Promise<boolean> {
  const { rows } = await pool.query<{ key: string | null }>('select key from graphile_worker.jobs where id = $1', [id]);
  return rows[0]?.key === null;
}

async function knownSchedules(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ identifier: string }>(
    'select identifier from graphile_worker._private_known_crontabs',
  );
  return new Set(rows.map(({ identifier }) => identifier));
}

/** Runs tasks on this node, notified of new ones by NOTIFY. */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const now = options.now ?? houseNow;
  const pool = new pg.Pool({
    ...poolOf(hostsOf(options.url)),
    max: 4,
    application_name: 'gongdan-jobs',
    options: `-c timezone=${houseZone}`,
  });
  pool.on('error', (error) => options.onError(error, 'jobs'));
  tryAgain(pool);
  const noted = createRunNotes(pool);
  const logger = new Logger(() => (level, message, meta) => {
    if (level === 'error') options.onError((meta?.['error'] as Error | undefined) ?? new Error(message), message);
  });
  const events = new EventEmitter() as WorkerEvents;
  let node = '';
  events.on('pool:create', ({ workerPool }) => void (node = workerPool.id));
  const runner = await run({
    pgPool: pool,
    logger,
    noHandleSignals: true,
    concurrency: options.concurrency ?? 5,
    pollInterval: 1000,
    parsedCronItems: cronItems(options.schedules ?? [], await knownSchedules(pool)),
    taskList: Object.fromEntries(
      options.tasks.map((task) => [
        task.name,
        async (payload, { job }) => {
          try {
            await noted(task, () => task.run(payload, { attempt: job.attempts, now: now() }));
          } catch (error) {
            // A gathering job adds to one that waits, not to one that runs, so the later one does not do this one's work.
            if (job.key === null || Array.isArray(payload) || !(await isReplaced(pool, job.id))) throw error;
          }
        },
      ]),
    ),
    events,
  });
  const place = await holdPlace(options.url, node, (error) => options.onError(error, 'place'));
  const search = searchForTheDead(pool, node);
  const searching = setInterval(
    () => void search().catch((error: Error) => options.onError(error, 'jobs of the dead')),
    (options.searchSeconds ?? 2) * 1000,
  ).unref();
  return {
    async stop() {
      clearInterval(searching);
      await runner.stop();
      await place.leave();
      await pool.end();
    },
  };
}
