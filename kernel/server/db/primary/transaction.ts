import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { Away } from '../lost.ts';
import { hostsOf } from './hosts.ts';
import { dbOf, homes, lostWith, patiently, type Db } from './pools.ts';
import type { Primary } from './watch.ts';

const wrapped = new WeakMap<pg.PoolClient, Db>();

/** Something that a transaction collects while it runs and handles once, as its last work before the commit. */
export interface Gathering<T> {
  start(): T;
  finish(tx: Db, gathered: T): Promise<void>;
  /** Runs after all others. */
  last?: boolean;
}
interface Gathered {
  all: unknown;
  last: boolean;
  finish(): Promise<void>;
}
const gatherings = new WeakMap<Db, Map<object, Gathered>>();

/** Returns what this transaction has collected so far, to be added to; a rollback drops it. Throws outside a writing transaction. */
export function gathered<T>(tx: Db, gathering: Gathering<T>): T {
  const kinds = gatherings.get(tx);
  if (!kinds) throw new Error('nothing is gathered outside a transaction');
  const known = kinds.get(gathering);
  if (known) return known.all as T;
  const all = gathering.start();
  kinds.set(gathering, { all, last: gathering.last ?? false, finish: () => gathering.finish(tx, all) });
  return all;
}

/** Returns what was collected if there is anything; read-only work never collects. */
export const gatheredYet = <T>(tx: Db, gathering: Gathering<T>): T | undefined =>
  gatherings.get(tx)?.get(gathering)?.all as T | undefined;

/** Statements of each transaction that were sent and whose results nothing depends on. */
const along = new WeakMap<Db, Promise<unknown>[]>();

/**
 * Sends a statement without waiting for it: its result comes with the next one's, at the latest with the commit's. If it fails, the transaction fails
 * in the same way; await the statement instead if the failure is to become a refusal. Outside a transaction it is awaited.
 */
export async function sendAlong(tx: Db, statement: PromiseLike<unknown>): Promise<void> {
  // Sent here and now, so that the commit cannot overtake it.
  const sent = Promise.resolve(statement.then(() => undefined));
  const others = along.get(tx);
  if (!others) return sent;
  sent.catch(() => undefined);
  others.push(sent);
}

/** Runs part of a transaction, and waits for what it sent along too. */
export async function withAlong<T>(tx: Db, work: () => Promise<T>, end?: () => Promise<unknown>): Promise<T> {
  const sent = along.get(tx) ?? [];
  const before = sent.length;
  try {
    const result = await work();
    // A statement issued a few promises deep is sent in this turn of the event loop; the end is sent in the next.
    if (sent.length > before) await setImmediate();
    await Promise.all([...sent.slice(before), end?.()]);
    return result;
  } catch (error) {
    // After the first failure the database refuses everything else, so those errors mean nothing.
    for (const one of await Promise.allSettled(sent.slice(before)))
      if (one.status === 'rejected' && databaseFault(error)?.code === failedBefore) throw one.reason;
    throw error;
  } finally {
    sent.length = before;
  }
}

const failedBefore = '25P02';

/** `watch` belongs to the primary; null for a transaction elsewhere. Throws `Away` if the primary is away or accepts no more writes. */
export async function inTransaction<T>(
  watch: Primary | null,
  pool: pg.Pool,
  begin: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const client = await connected(watch, pool);
  let broken: Error | undefined;
  try {
    // Sent with the first statement. The last statement waits for it, and a connection that cannot begin cannot go on either.
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
    // The server, or the one a balancer led to, now follows another one.
    broken = error as Error;
    hostsOf(homes.get(pool)!.url).cut('idle');
    await watch.look();
    throw new Away(error);
  } finally {
    client.release(broken);
  }
}

const readOnlyFault = '25006';

/** Returns a connection of the pool; one that arrives after the primary went away is given back. */
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

/** Finds the PostgreSQL error inside an error of the query layer, if there is one. */
export function databaseFault(error: unknown): DatabaseFault | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code))
      return at as Error & DatabaseFault;
  }
  return null;
}
