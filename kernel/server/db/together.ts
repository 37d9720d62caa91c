import type pg from 'pg';

export type Query = (config: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;
interface Waiting {
  config: pg.QueryConfig;
  values: unknown[] | undefined;
  done(result: pg.QueryResult): void;
  failed(error: unknown): void;
}

/**
 * Statements of a pool. Those issued at the same moment, before anything else happens in the process, share one connection and one round trip; a
 * failure of one does not affect the others. The connections must support pipelining.
 */
export function together(pool: pg.Pool): { query: Query } {
  let waiting: Waiting[] = [];
  const send = async () => {
    const asked = waiting;
    waiting = [];
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      for (const one of asked) one.failed(error);
      return;
    }
    await Promise.all(asked.map((one) => client.query(one.config, one.values).then(one.done, one.failed)));
    // A broken connection reports itself, and the pool drops it.
    client.release();
  };
  return {
    query: (config, values) =>
      new Promise((done, failed) => {
        if (waiting.length === 0) process.nextTick(send);
        waiting.push({ config, values, done, failed });
      }),
  };
}
