import pg from 'pg';
import { isCrowded, isLost } from './lost.ts';

/** Whether the replica can be read just now. */
export interface Replica {
  up(): boolean;
  /**
   * Told of a read that failed: true when the replica, not what was asked, is to blame, and the primary may be asked instead. A
   * replica that cannot be reached is not asked again until it answers by itself.
   */
  failed(error: unknown): boolean;
  close(): Promise<void>;
}

const everyMillis = 1000;
const patienceMillis = 2000;
/** A query cancelled because the replica had to go on: only that query is to be asked again. */
const conflict = '40001';

const isConflict = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === conflict || isConflict(error.cause));

/** Asks the replica each second whether it is there; `tell` hears of each change. It is taken for there at first. */
export function watchReplica(url: string, tell: (up: boolean, error?: Error) => void): Replica {
  let up = true;
  let closed = false;
  let failures = 0;
  const turn = (now: boolean, error?: Error) => {
    if (closed || up === now) return;
    up = now;
    tell(up, error);
  };
  const look = async () => {
    const before = failures;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'gongdan-replica',
      connectionTimeoutMillis: patienceMillis,
      query_timeout: patienceMillis,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      // A look that began before a read failed says nothing of the time since.
      if (before === failures) turn(true);
    } catch (error) {
      turn(false, error as Error);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const plan = () => {
    timer = setTimeout(() => {
      looking = look().then(() => void (closed || plan()));
    }, everyMillis);
    timer.unref();
  };
  plan();
  return {
    up: () => up,
    failed(error) {
      // One that has its hands full is there.
      if (isCrowded(error)) return true;
      if (!isLost(error)) return isConflict(error);
      failures += 1;
      turn(false, error as Error);
      return true;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
