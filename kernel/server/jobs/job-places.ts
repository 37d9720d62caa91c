import type pg from 'pg';
import { HostClient, hostsOf } from '../db/primary/hosts.ts';

// A job taken by a node that was killed would stay locked for hours. So each node that takes jobs holds a session's advisory lock named after itself;
// PostgreSQL releases it the moment the node is gone.

const patienceMs = 10_000;

/** Keeps the lock of a node's name as long as the node lives, and takes it again after a lost connection. */
export async function holdPlace(
  url: string,
  node: string,
  onError: (error: Error) => void,
): Promise<{ leave(): Promise<void> }> {
  let client: pg.Client | null = null;
  let left = false;
  const hold = async () => {
    const next = new HostClient({
      hosts: hostsOf(url),
      application_name: 'gongdan-place',
      // A host that swallows packets must not keep the lock from being requested again.
      connectionTimeoutMillis: patienceMs,
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

/** A node whose connection was cut holds its lock again after a second or two. */
const awaySeconds = 5;

/**
 * Returns a search, to be run every few seconds, that gives back the jobs of a node once each search for `awaySeconds` has found its lock free. After
 * a failed search it starts over, because the database was away, and all locks with it.
 */
export function searchForTheDead(pool: pg.Pool, node: string): () => Promise<void> {
  /** The time at which each node's lock was first found free, in milliseconds. */
  let away = new Map<string, number>();
  const look = async () => {
    const before = away;
    away = new Map();
    const now = performance.now();
    const dead = [...before].filter(([, since]) => now - since >= awaySeconds * 1000).map(([name]) => name);
    // A shared lock, so that searches of two nodes at once do not take each other for the dead one.
    const { rows } = await pool.query<{ name: string }>(
      `with away as materialized (
         select name from (
           select distinct locked_by as name from graphile_worker._private_jobs where locked_by <> $1
         ) working
         where pg_try_advisory_xact_lock_shared(hashtextextended('jobs:' || name, 0))
       )
       select name, case when name = any($2) then graphile_worker.force_unlock_workers(array[name]) end from away`,
      [node, dead],
    );
    away = new Map(rows.map(({ name }) => [name, before.get(name) ?? now]));
  };
  // A search that takes longer than the interval must not count as a failed one.
  let looking: Promise<void> | undefined;
  return () => (looking ??= look().finally(() => (looking = undefined)));
}
