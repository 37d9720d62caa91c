import pg from 'pg';

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
const unreachable = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|08|57P0)/;
const unspoken =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered/i;
/** A query cancelled because the replica had to go on: only that query is to be asked again. */
const conflict = '40001';

function codeOf(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && (unreachable.test(at.code) || at.code === conflict))
      return at.code;
    if (unspoken.test(at.message)) return 'lost';
  }
  return null;
}

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
      const code = codeOf(error);
      if (code !== null && code !== conflict) {
        failures += 1;
        turn(false, error as Error);
      }
      return code !== null;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
