import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { createRunNotes } from './run-notes.ts';
import { databaseFault, type Databases, type Db } from '../db/db.ts';

export interface Job {
  /** Identifies the job on all nodes. */
  name: string;
  /** The title that people see. */
  title: string;
  everySeconds: number;
  /** One small portion of the work in its own transaction; returns true if more is waiting. */
  run(tx: Db): Promise<boolean>;
}

export interface Periodic {
  /** Waits for the running work and starts no more. */
  stop(): Promise<void>;
}

/** Receives reports of how the jobs fare. */
export interface Listener {
  failed(error: Error, job: string): void;
  /** Others hold a lock that the job needs; reported once, until it got through again. */
  waits(job: string): void;
}

const lockNotAvailable = '55P03';
const isHeld = (error: unknown) => databaseFault(error)?.code === lockNotAvailable;

/** Runs each job at its interval, on one node at a time. A portion that fails is reported and tried again at the next interval. */
export function startPeriodic(
  databases: Pick<Databases, 'write' | 'pool'>,
  jobs: readonly Job[],
  listener: Listener,
): Periodic {
  let stopped = false;
  const left = forgetOthers(
    databases.pool,
    jobs.map(({ name }) => name),
  );
  const noted = createRunNotes(databases.pool, (error) => !isHeld(error));
  const turns = jobs.map((job) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    let waiting = false;
    const turn = async () => {
      try {
        await noted(
          job,
          async () => {
            let ran = false;
            for (let more: boolean | null = true; !stopped && more;) {
              more = await portion(databases, job);
              ran ||= more !== null;
            }
            return ran;
          },
          // While another node runs the job, this one does not know how it fares.
          (ran) => ran,
        );
        waiting = false;
      } catch (error) {
        const held = isHeld(error);
        if (!held) listener.failed(error as Error, job.name);
        else if (!waiting) listener.waits(job.name);
        waiting = held;
      }
      if (!stopped) plan();
    };
    const plan = () => {
      timer = setTimeout(() => (running = turn()), job.everySeconds * 1000);
      timer.unref();
    };
    plan();
    return { cancel: () => clearTimeout(timer), ended: () => running };
  });
  return {
    async stop() {
      stopped = true;
      for (const turn of turns) turn.cancel();
      await Promise.all([left, ...turns.map((turn) => turn.ended())]);
    },
  };
}

/** Removes the rows of jobs that this version no longer has. A failure to do so must not prevent the start. */
async function forgetOthers(pool: Databases['pool'], names: readonly string[]): Promise<void> {
  const text = 'delete from job_run where every_seconds is not null and name <> all($1::text[])';
  await pool.query(text, [names]).catch(() => undefined);
}

/** Null if another node is running it. */
function portion(databases: Pick<Databases, 'write'>, job: Job): Promise<boolean | null> {
  return databases.write(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${lockOf(job.name)}) mine`,
    );
    return rows[0]?.mine ? job.run(tx) : null;
  });
}

/** A 63-bit number of a name, the same on all nodes. */
export function lockOf(name: string): string {
  return (createHash('sha256').update(name).digest().readBigUInt64BE() >> 1n).toString();
}
