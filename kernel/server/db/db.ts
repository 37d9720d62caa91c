import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { createStore } from '../process/store.ts';
import type { Services } from '../services.ts';
import { Away, isLost } from './lost.ts';
import type { OlderHistory } from './primary/history.ts';
import { hostsOf } from './primary/hosts.ts';
import { dbOf, openPool, patiently, readingOf, type Db, type Home } from './primary/pools.ts';
import { databaseFault, inTransaction, withAlong } from './primary/transaction.ts';
import { watchPrimary } from './primary/watch.ts';
import { watchReplica, type Replica } from './primary/replica.ts';
import { together, type Query } from './together.ts';

export { perDatabase, type Db } from './primary/pools.ts';
export { databaseFault, gathered, gatheredYet, sendAlong, type Gathering } from './primary/transaction.ts';

export interface Databases {
  /** Runs the work in one writing transaction on the primary. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Like `write`, beside a transaction that is still open and will be rolled back, on the connections of `pool`. */
  beside<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** One read-only snapshot over several queries, for exports. */
  snapshot<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Read-only: a replica where one is configured and answers. */
  readonly read: Db;
  /** True if the replica is being read; null if there is none. */
  replicaUp(): boolean | null;
  /** Receives a failed read; true if the replica was to blame and the primary may be asked instead. */
  replicaFailed(error: unknown): boolean;
  /** Read-only on the primary; while the primary is away, on a replica that has everything it was seen to have written (decision 0058). */
  fresh: Db;
  /** True if the primary is there, so that data can be saved. */
  saves(): boolean;
  /** The reason why nothing is saved although a primary is there: its history is older than one that was seen. Null otherwise. */
  older(): OlderHistory | null;
  /** Checks now whether the primary is there; afterwards a replica replaces it only with everything committed before this check. */
  look(): Promise<boolean>;
  /** The time of its last successful check, by `performance.now()`. */
  seenAt(): number;
  /** Milliseconds this machine's clock is ahead of the database's. */
  ahead(): number;
  /**
   * The primary, outside any transaction; only for data that must survive a refusal. It has a few connections of its own, because a transaction that
   * waited here for one of its own pool could wait for itself.
   */
  pool: pg.Pool;
  /** Like `pool`, with each statement committed by itself: once sent it is completed, even if this process ends. */
  alone: Db;
  /** Gives all transactions the services that the product shares; called once, where the product is put together. */
  serve(services: Services): void;
  close(): Promise<void>;
}

export interface Connection {
  url: string;
  readUrl?: string | undefined;
  /** The number of connections in each pool. */
  size?: number;
  /** Milliseconds to wait for a connection. */
  patience?: number;
  onError(error: Error): void;
  /** Called when the replica is lost and when it is back. */
  onReplica?(up: boolean, error?: Error): void;
  /** Called when the primary is lost and when it is back. */
  onPrimary?(up: boolean, error?: Error): void;
  /** Called when a server of an older history takes the primary's place, which is read but not written to, and with null when that ends. */
  onOlder?(older: OlderHistory | null): void;
  /** Called once a minute with the milliseconds that this machine's clock is ahead of the database's. */
  onClock?(aheadMs: number): void;
}

const snapshot = 'begin isolation level repeatable read read only';

/** Keeps the known history behind an address in a file of this machine, so that a restarted node writes to no older one. */
export const keepHistory = (url: string, dataDir: string): void => hostsOf(url).history.keepIn(historyFile(dataDir));
/** Refuses a server that is older than the history that a node on this machine knows, without recording anything: for commands. */
export const followHistory = (url: string, dataDir: string): void => hostsOf(url).history.follow(historyFile(dataDir));
export const historyFile = (dataDir: string): string => join(dataDir, 'database-history.json');

export function openDatabases(connection: Connection): Databases {
  const size = connection.size ?? 10;
  const hosts = hostsOf(connection.url);
  const watch = watchPrimary(hosts, {
    turned: (up, error) => connection.onPrimary?.(up, error),
    aged: (older) => connection.onOlder?.(older),
    clock: (ahead) => connection.onClock?.(ahead),
  });
  const home: Home = { url: connection.url, services: null, watch };
  const onError = (error: Error) => {
    if (isLost(error)) void watch.look();
    connection.onError(error);
  };
  const open = (max: number, reads: boolean, patience?: number) =>
    openPool(home, hosts, { max, reads, onError, patience });
  const primary = open(size, false, connection.patience);
  const fresh = open(size, true, connection.patience);
  const aside = open(3, false);
  const replica = connection.readUrl ? openReplica(home, connection.readUrl, size, connection) : null;
  const besides = aside.query.bind(aside) as Query;
  aside.query = ((...given: Parameters<Query>) => patiently(watch, () => besides(...given))) as typeof aside.query;
  const asking = together(fresh);
  const freshDb = readingOf(home, {
    async query(...given) {
      const ask = () => asking.query(...given);
      const standsIn = async () => replica && watch.awayFor() <= longestStandIn && (await replica.watch.isWhole());
      // A replica with everything that was seen is newer than the server in the primary's place.
      if (watch.older() && (await standsIn())) return replica!.asking.query(...given);
      try {
        return await patiently(watch, ask);
      } catch (error) {
        if (!(error instanceof Away)) throw error;
        // The server is there, so only the lost connection was to blame.
        if (watch.up() && (await watch.look())) return patiently(watch, ask);
        if (!(await standsIn())) throw error;
        return replica!.asking.query(...given);
      }
    },
  });
  const begun = <T>(pool: pg.Pool, work: (tx: Db) => Promise<T>) => inTransaction(watch, pool, 'begin', work);
  return {
    pool: aside,
    alone: dbOf(aside),
    serve: (services) => void (home.services = services),
    fresh: freshDb,
    saves: () => watch.up() && watch.older() === null,
    older: watch.older,
    look: watch.look,
    seenAt: watch.seenAt,
    ahead: watch.ahead,
    get read() {
      return replica?.watch.up() ? replica.db : freshDb;
    },
    replicaUp: () => (replica ? replica.watch.up() : null),
    replicaFailed: (error) => replica?.watch.failed(error) ?? false,
    write: (work) => begun(primary, work),
    beside: (work) => begun(aside, work),
    async snapshot(work) {
      if (!replica?.watch.up()) return inTransaction(watch, fresh, snapshot, work);
      let begun = false;
      const marked: typeof work = (tx) => {
        begun = true;
        return work(tx);
      };
      return inTransaction(null, replica.pool, snapshot, marked).catch((error: unknown) => {
        if (begun || !replica.watch.failed(error)) throw error;
        return inTransaction(watch, fresh, snapshot, work);
      });
    },
    async close() {
      await replica?.watch.close();
      await watch.close();
      await Promise.all([primary, fresh, aside, ...(replica ? [replica.pool] : [])].map((pool) => pool.end()));
    },
  };
}

/** Milliseconds for which a replica may replace the primary: its rights of people become outdated during an outage. */
const longestStandIn = 30 * 60_000;

function openReplica(
  home: Home,
  url: string,
  max: number,
  { onReplica }: Connection,
): { watch: Replica; pool: pg.Pool; asking: { query: Query }; db: Db } {
  const hosts = hostsOf(url, 'read');
  const watch = watchReplica(hosts, home.watch, (up, error) => onReplica?.(up, error));
  const onError = (error: Error) => void watch.failed(error);
  const pool = openPool(home, hosts, { max, reads: true, onError, patience: 2_000 });
  const asking = together(pool);
  return { watch, pool, asking, db: readingOf(home, asking) };
}

/** Runs a named prepared statement: for hot calls whose plan does not depend on the values. Rows come back as objects. */
export async function prepared<R>(tx: Db, name: string, text: string, values: unknown[]): Promise<R[]> {
  const result = await tx.$client.query({ name, text, values });
  return result.rows as R[];
}

/** A query of the query builder, not yet run. */
interface Built<R> {
  prepare(name: string): { execute(): Promise<R> };
}
/** The parts of a prepared query that name it: one for results as lists of values, one for objects. */
interface Kept {
  queryConfig: { name: string; text: string };
  rawQueryConfig: { name: string };
}

const isKept = (statement: object): statement is Kept => 'queryConfig' in statement && 'rawQueryConfig' in statement;

/**
 * Runs a query as a prepared statement named after its text: for hot calls with few different texts, whose plan does not depend
 * on the values. Never for a search (decision 0004).
 */
export function named<R>(query: Built<R>): Promise<R> {
  const statement = query.prepare('');
  // The name is set afterwards: to know the text before, the query would have to be built twice.
  if (!isKept(statement)) throw new TypeError('a prepared statement without its text');
  const { queryConfig, rawQueryConfig } = statement;
  rawQueryConfig.name = queryConfig.name = nameOf(queryConfig.text);
  return statement.execute();
}

/** Like `named`, for a statement that was written by hand. */
export function namedRows<R>(tx: Db, statement: SQL): Promise<R[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return prepared(tx, nameOf(text), text, params);
}

const dialect = new PgDialect();

const names = createStore<string, string>(2000);
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/**
 * Turns the violation of a named constraint into a refusal; use as `.catch(refuseOn('button_code_unique', () => codeTaken(code)))`. Checking before
 * inserting would let two people through at once.
 */
export function refuseOn(constraint: string, refuse: () => Error): (error: unknown) => never {
  return (error) => {
    if (databaseFault(error)?.constraint === constraint) throw refuse();
    throw error;
  };
}

/** Undoes everything the work has written, and only that, if it throws; locks that it took are released with it. */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint alone`);
  try {
    const result = await withAlong(tx, work);
    await tx.execute(sql`release savepoint alone`);
    return result;
  } catch (stop) {
    await tx.execute(sql`rollback to savepoint alone`);
    // Without the release, a savepoint around this one would be undone only up to here.
    await tx.execute(sql`release savepoint alone`);
    throw stop;
  }
}
