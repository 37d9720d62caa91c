import pg from 'pg';

// A job taken by a node that was killed would stay locked for hours. So each node that takes jobs holds a session's
// advisory lock named after itself; PostgreSQL lets go of it the moment the node is gone.

/** Keeps a node's name held as long as the node lives; after a lost connection as soon as there is one again. */
export async function holdPlace(
  url: string,
  node: string,
  onError: (error: Error) => void,
): Promise<{ leave(): Promise<void> }> {
  let client: pg.Client | null = null;
  let left = false;
  const hold = async () => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'gongdan-place',
      keepAlive: true,
      options: '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    });
    next.on('error', onError);
    next.on('end', () => {
      client = null;
      if (!left) setTimeout(again, 1000).unref();
    });
    await next.connect();
    await next.query(`select pg_advisory_lock(hashtextextended('jobs:' || $1, 0))`, [node]);
    client = next;
  };
  const again = () => {
    if (!left) hold().catch(onError);
  };
  await hold();
  return {
    async leave() {
      left = true;
      await client?.end();
    },
  };
}

/** Gives back the jobs of nodes whose place nobody holds any more. Two seconds' grace: a new node works before it holds its place. */
export async function freeJobsOfTheDead(pool: pg.Pool): Promise<void> {
  await pool.query(`
    select graphile_worker.force_unlock_workers(array_agg(node)) from (
      select locked_by as node from graphile_worker._private_jobs
      where locked_by is not null group by 1 having max(locked_at) < now() - interval '2 seconds'
    ) working
    where pg_try_advisory_xact_lock(hashtextextended('jobs:' || node, 0))`);
}
