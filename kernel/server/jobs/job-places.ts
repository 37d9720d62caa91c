import type pg from 'pg';
import { HostClient, hostsOf } from '../db/primary/hosts.ts';

// A job taken by a node that was killed would stay locked for hours. So each node that takes jobs holds a session's
// advisory lock named after itself; PostgreSQL lets go of it the moment the node is gone.

const patienceMs = 10_000;

/** Keeps a node's name held as long as the node lives; after a lost connection as soon as there is one again. */
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
      // A host that swallows what is sent to it must not keep the place from being asked for again.
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

/** A place whose connection was cut is held again after a second or two. */
const awaySeconds = 5;

/**
 * A search, to be made every few seconds, that gives back the jobs of other nodes once each search for `awaySeconds` has found their place
 * held by nobody. After a search that failed it begins anew: the database was away, and all places with it.
 */
export function searchForTheDead(pool: pg.Pool, node: string): () => Promise<void> {
  /** Node → when its place was first found empty, in milliseconds. */
  let away = new Map<string, number>();
  const look = async () => {
    const before = away;
    away = new Map();
    const now = performance.now();
    const dead = [...before].filter(([, since]) => now - since >= awaySeconds * 1000).map(([name]) => name);
    // A shared lock: searches of two nodes at once do not take each other for the one that is gone.
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
  // One that takes longer than the pause before the next is not taken for a failed one.
  let looking: Promise<void> | undefined;
  return () => (looking ??= look().finally(() => (looking = undefined)));
}
