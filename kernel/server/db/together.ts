import type pg from 'pg';

type Query = (config: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;
interface Waiting {
  config: pg.QueryConfig;
  values: unknown[] | undefined;
  done(result: pg.QueryResult): void;
  failed(error: unknown): void;
}

/**
 * Statements of a pool. Those that are asked for at once, before anything else happens in the process, go over one connection and
 * in one round trip, each by itself: one that fails leaves the others as they are. Its connections have to be of the kind that
 * pipelines.
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
    // A connection that broke says so itself, and the pool lets it go.
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
