import type pg from 'pg';
import { cutTo } from '../../contract/words/cut.ts';

/** A kind of background work. */
interface Kind {
  name: string;
  title: string;
  everySeconds?: number;
}

/** Work that succeeds repeatedly is recorded once a minute for each kind. */
const restMs = 60_000;
const longest = 500;

const noteText = `insert into job_run (name, title, every_seconds, started_at, ms, failed_at, failure)
  select $1, $2, $3::int, started, $4::int, case when $5::text is not null then started end, $5
  from (select now() - $4::int * interval '1 millisecond' as started) run
  on conflict (name) do update set title = excluded.title, every_seconds = excluded.every_seconds, started_at = excluded.started_at,
    ms = excluded.ms, failed_at = coalesce(excluded.failed_at, job_run.failed_at), failure = coalesce(excluded.failure, job_run.failure)`;

/** Records how work fared, for administrators. A failure to record is no failure of the work. */
export function createRunNotes(pool: Pick<pg.Pool, 'query'>, isFailure: (error: unknown) => boolean = () => true) {
  const well = new Map<string, number>();
  const note = async ({ name, title, everySeconds }: Kind, ms: number, error: Error | null): Promise<void> => {
    const at = performance.now();
    if (!error && at - (well.get(name) ?? -Infinity) < restMs) return;
    if (error) well.delete(name);
    else well.set(name, at);
    const said = error && cutTo(error.message, longest);
    await pool.query(noteText, [name, title, everySeconds ?? null, Math.round(ms), said]).catch(() => undefined);
  };
  /** Runs the work and records its duration if `was` says there was any; rethrows its errors. */
  return async <T>(kind: Kind, work: () => Promise<T>, was: (done: T) => boolean = () => true): Promise<T> => {
    const began = performance.now();
    try {
      const done = await work();
      if (was(done)) await note(kind, performance.now() - began, null);
      return done;
    } catch (error) {
      if (isFailure(error)) await note(kind, performance.now() - began, error as Error);
      throw error;
    }
  };
}
