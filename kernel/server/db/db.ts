import { createHash } from 'node:crypto';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Services } from '../services.ts';
import { watchReplica } from './replica.ts';
import { together } from './together.ts';

/** What a handler queries: a transaction, or for a reading call a read-only connection pool. It knows the product it belongs to. */
export type Db = NodePgDatabase<Record<string, never>> & {
  $client: pg.Pool | pg.PoolClient;
  readonly services: Services;
};

export interface Databases {
  /** Runs the work in one writing transaction on the primary. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** The same beside a transaction that is still open and will be rolled back, on the connections of `pool`. */
  beside<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** One read-only snapshot over several queries, for exports. */
  snapshot<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Read-only: a replica where one is configured and answers. */
  readonly read: Db;
  /** Whether the replica is read; null without one. */
  replicaUp(): boolean | null;
  /** Told of a failed read: true when the replica was to blame and the primary may be asked instead. */
  replicaFailed(error: unknown): boolean;
  /** Read-only on the primary. */
  fresh: Db;
  /**
   * The primary, outside any transaction; only for what must survive a refusal. A few connections of its own: a
   * transaction that waited here for one of its own pool could wait for itself.
   */
  pool: pg.Pool;
  /** The same, each statement committed by itself: done once it is on its way, whatever becomes of this process. */
  alone: Db;
  /** Hands all transactions what the product shares; once, where that is put together. */
  serve(services: Services): void;
  close(): Promise<void>;
}

const keepText = (value: string) => value;
// 1082 date, 1114 timestamp, 1184 timestamptz: they only pass through, and parsing them costs a tenth of a list call.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 1082 || oid === 1114 || oid === 1184
      ? keepText
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

export interface Connection {
  url: string;
  readUrl?: string | undefined;
  /** Connections per pool. */
  size?: number;
  /** Milliseconds to wait for one of them. */
  patience?: number;
  onError(error: Error): void;
  /** Hears when the replica is lost and when it is back. */
  onReplica?(up: boolean, error?: Error): void;
}

const readOnly = '-c default_transaction_read_only=on';
const snapshot = 'begin isolation level repeatable read read only';

export function openDatabases(connection: Connection): Databases {
  const size = connection.size ?? 10;
  const home: Home = { url: connection.url, services: null };
  const primary = openPool(home, size, '', connection.onError, connection.patience);
  const fresh = openPool(home, size, readOnly, connection.onError, connection.patience);
  const aside = openPool(home, 3, '', connection.onError);
  const freshDb = readingOf(home, fresh);
  const replica = connection.readUrl ? openReplica(home, connection.readUrl, size, connection) : null;
  return {
    pool: aside,
    alone: dbOf(aside),
    serve: (services) => void (home.services = services),
    fresh: freshDb,
    get read() {
      return replica?.watch.up() ? replica.db : freshDb;
    },
    replicaUp: () => (replica ? replica.watch.up() : null),
    replicaFailed: (error) => replica?.watch.failed(error) ?? false,
    write: (work) => inTransaction(primary, 'begin', work),
    beside: (work) => inTransaction(aside, 'begin', work),
    async snapshot(work) {
      if (!replica?.watch.up()) return inTransaction(fresh, snapshot, work);
      let begun = false;
      const marked: typeof work = (tx) => {
        begun = true;
        return work(tx);
      };
      return inTransaction(replica.pool, snapshot, marked).catch((error: unknown) => {
        if (begun || !replica.watch.failed(error)) throw error;
        return inTransaction(fresh, snapshot, work);
      });
    },
    async close() {
      await replica?.watch.close();
      await Promise.all([primary, fresh, aside, ...(replica ? [replica.pool] : [])].map((pool) => pool.end()));
    },
  };
}

function openReplica(home: Home, url: string, size: number, { onReplica }: Connection) {
  const watch = watchReplica(url, (up, error) => onReplica?.(up, error));
  const pool = openPool(home, size, readOnly, (error) => void watch.failed(error), 2_000, url);
  return { watch, pool, db: readingOf(home, pool) };
}

/** What pools and connections belong to: where they lead, and the product that opened them. */
interface Home {
  readonly url: string;
  services: Services | null;
}
const homes = new WeakMap<object, Home>();

function dbOf(client: pg.Pool | pg.PoolClient): Db {
  const get = () => {
    const services = homes.get(client)?.services;
    if (!services) throw new Error('no product has been put together on this database');
    return services;
  };
  return Object.defineProperty(drizzle(client), 'services', { get }) as unknown as Db;
}

/** What reading calls ask: what they ask for at once goes in one round trip. */
function readingOf(home: Home, pool: pg.Pool): Db {
  const asking = together(pool);
  homes.set(asking, home);
  return dbOf(asking as pg.Pool);
}

/** Something kept of each database a process talks to, made when it is first asked for; of one opened elsewhere nothing is kept. */
export function perDatabase<T>(make: () => T): (tx: Db) => T {
  const known = new Map<string, T>();
  return ({ $client }) => {
    const address = homes.get($client)?.url;
    if (address === undefined) return make();
    const kept = known.get(address) ?? make();
    known.set(address, kept);
    return kept;
  };
}

function openPool(
  home: Home,
  max: number,
  options: string,
  onError: (error: Error) => void,
  patience = 10_000,
  url = home.url,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: 'gongdan',
    pipeline: true,
    connectionTimeoutMillis: patience,
    idleTimeoutMillis: 60_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    options: `-c timezone=Asia/Shanghai ${options}`.trim(),
  });
  homes.set(pool, home);
  pool.on('error', onError);
  pool.on('connect', (client) => {
    homes.set(client, home);
    client.on('error', onError);
  });
  return pool;
}

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

async function inTransaction<T>(pool: pg.Pool, begin: string, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    // Sent with the first statement; the last of all waits for it, and a connection that cannot begin cannot go on either.
    const begun = client.query(begin);
    begun.catch(() => undefined);
    let tx = wrapped.get(client);
    if (!tx) wrapped.set(client, (tx = dbOf(client)));
    const kinds = new Map<object, Gathered>();
    gatherings.set(tx, kinds);
    const result = await work(tx);
    for (const last of [false, true]) for (const kind of kinds.values()) if (kind.last === last) await kind.finish();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failed: Error) => (broken = failed));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs a named prepared statement: for hot calls whose plan does not depend on the values. Rows come back as objects. */
export async function prepared<R>(tx: Db, name: string, text: string, values: unknown[]): Promise<R[]> {
  const result = await tx.$client.query({ name, text, values });
  return result.rows as R[];
}

/** A query of the query builder, not yet run. */
interface Query<R> {
  toSQL(): { sql: string };
  prepare(name: string): { execute(): Promise<R> };
}

/**
 * Runs a query as a prepared statement named after its text: for hot calls with few different texts, whose plan does not depend
 * on the values. Never for a search (decision 0004).
 */
export function named<R>(query: Query<R>): Promise<R> {
  return query.prepare(nameOf(query.toSQL().sql)).execute();
}

/** The same for a statement put together by hand. */
export function namedRows<R>(tx: Db, statement: SQL): Promise<R[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return prepared(tx, nameOf(text), text, params);
}

const dialect = new PgDialect();
const nameOf = (text: string) => createHash('sha1').update(text).digest('base64url');

interface DatabaseFault {
  code: string;
  constraint?: string;
}

/** The PostgreSQL error inside whatever the query layer threw, if it is one. */
export function databaseFault(error: unknown): DatabaseFault | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code))
      return at as Error & DatabaseFault;
  }
  return null;
}

/**
 * Turns the violation of one named constraint into a refusal; use as `.catch(refuseOn('button_code_unique', () => codeTaken(code)))`.
 * Checking first and inserting after would let two people through at once.
 */
export function refuseOn(constraint: string, refuse: () => Error): (error: unknown) => never {
  return (error) => {
    if (databaseFault(error)?.constraint === constraint) throw refuse();
    throw error;
  };
}

/** Undoes what the work has written, and only that, when it throws; locks that it took are let go with it. */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint alone`);
  try {
    const result = await work();
    await tx.execute(sql`release savepoint alone`);
    return result;
  } catch (stop) {
    await tx.execute(sql`rollback to savepoint alone`);
    // Otherwise work around this one would be undone only as far as here.
    await tx.execute(sql`release savepoint alone`);
    throw stop;
  }
}
