import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { Away } from '../lost.ts';
import { hostsOf } from './hosts.ts';
import { dbOf, homes, lostWith, patiently, type Db } from './pools.ts';
import type { Primary } from './watch.ts';

const wrapped = new WeakMap<pg.PoolClient, Db>();

/** Something a transaction gathers while it runs, and does once, as its last work before it commits. */
export interface Gathering<T> {
  start(): T;
  finish(tx: Db, gathered: T): Promise<void>;
  /** Done after all others. */
  last?: boolean;
}
interface Gathered {
  all: unknown;
  last: boolean;
  finish(): Promise<void>;
}
const gatherings = new WeakMap<Db, Map<object, Gathered>>();

/** What this transaction has gathered so far, to be added to; a rollback drops it. Throws outside a writing transaction. */
export function gathered<T>(tx: Db, gathering: Gathering<T>): T {
  const kinds = gatherings.get(tx);
  if (!kinds) throw new Error('nothing is gathered outside a transaction');
  const known = kinds.get(gathering);
  if (known) return known.all as T;
  const all = gathering.start();
  kinds.set(gathering, { all, last: gathering.last ?? false, finish: () => gathering.finish(tx, all) });
  return all;
}

/** The same, where there is any yet; of what only reads there never is. */
export const gatheredYet = <T>(tx: Db, gathering: Gathering<T>): T | undefined =>
  gatherings.get(tx)?.get(gathering)?.all as T | undefined;

/** Statements on their way whose answers nothing goes by, of each transaction. */
const along = new WeakMap<Db, Promise<unknown>[]>();

/**
 * Sends one statement without waiting for it: its answer comes with the next one's, at the latest with the commit's. Where it fails, the
 * transaction fails as it would have there; what is to become a refusal is awaited instead. Outside a transaction it is waited for.
 */
export async function sendAlong(tx: Db, statement: PromiseLike<unknown>): Promise<void> {
  // Asked for here and now: the commit must not overtake it.
  const sent = Promise.resolve(statement.then(() => undefined));
  const others = along.get(tx);
  if (!others) return sent;
  sent.catch(() => undefined);
  others.push(sent);
}

/** Does some work of a transaction, and waits for what it sent along too. */
export async function withAlong<T>(tx: Db, work: () => Promise<T>, end?: () => Promise<unknown>): Promise<T> {
  const sent = along.get(tx) ?? [];
  const before = sent.length;
  try {
    const result = await work();
    // A statement asked for a few promises deep leaves in this turn of the loop; the end leaves in the next.
    if (sent.length > before) await setImmediate();
    await Promise.all([...sent.slice(before), end?.()]);
    return result;
  } catch (error) {
    // After the first failure the database refuses everything else, which says nothing.
    for (const one of await Promise.allSettled(sent.slice(before)))
      if (one.status === 'rejected' && databaseFault(error)?.code === failedBefore) throw one.reason;
    throw error;
  } finally {
    sent.length = before;
  }
}

const failedBefore = '25P02';

/** `watch` is of the primary, null for a transaction elsewhere. Throws `Away` where the primary is, or takes no writes any more. */
export async function inTransaction<T>(
  watch: Primary | null,
  pool: pg.Pool,
  begin: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const client = await connected(watch, pool);
  let broken: Error | undefined;
  try {
    // Sent with the first statement; the last of all waits for it, and a connection that cannot begin cannot go on either.
    const begun = client.query(begin);
    begun.catch(() => undefined);
    let tx = wrapped.get(client);
    if (!tx) wrapped.set(client, (tx = dbOf(client)));
    const done = tx;
    const kinds = new Map<object, Gathered>();
    gatherings.set(done, kinds);
    along.set(done, []);
    return await withAlong(
      done,
      async () => {
        const result = await work(done);
        for (const last of [false, true])
          for (const kind of kinds.values()) if (kind.last === last) await kind.finish();
        return result;
      },
      () => client.query('commit'),
    );
  } catch (error) {
    await client.query('rollback').catch((failed: Error) => (broken = failed));
    if (!watch) throw error;
    if (broken) throw lostWith(error);
    if (begin !== 'begin' || databaseFault(error)?.code !== readOnlyFault) throw error;
    // The server behind it, or the one a balancer led to, follows another one by now.
    broken = error as Error;
    hostsOf(homes.get(pool)!.url).cut('idle');
    await watch.look();
    throw new Away(error);
  } finally {
    client.release(broken);
  }
}

const readOnlyFault = '25006';

/** A connection of the pool; one that comes after the primary went away is given back. */
async function connected(watch: Primary | null, pool: pg.Pool): Promise<pg.PoolClient> {
  if (!watch) return pool.connect();
  let waiting = true;
  return patiently(watch, () =>
    pool.connect().then((client) => {
      if (!waiting) client.release(true);
      return client;
    }),
  ).catch((error: unknown) => {
    waiting = false;
    throw error;
  });
}

interface DatabaseFault {
  code: string;
  constraint?: string;
  detail?: string;
}

/** The PostgreSQL error inside whatever the query layer threw, if it is one. */
export function databaseFault(error: unknown): DatabaseFault | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code))
      return at as Error & DatabaseFault;
  }
  return null;
}
