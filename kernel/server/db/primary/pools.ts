import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { houseZone } from '#kernel/contract/moment.ts';
import type { Services } from '../../services.ts';
import { Away, isCrowded, isLost } from '../lost.ts';
import type { Query } from '../together.ts';
import { poolOf, type Hosts } from './hosts.ts';
import type { Primary } from './watch.ts';

/** The database object of a handler: a transaction, or a read-only connection pool for a reading call. It knows the product it belongs to. */
export type Db = NodePgDatabase<Record<string, never>> & {
  $client: pg.Pool | pg.PoolClient;
  readonly services: Services;
};

const keepText = (value: string) => value;
// 1082 date, 1114 timestamp, 1184 timestamptz: they stay text, because parsing them costs a tenth of a list call.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 1082 || oid === 1114 || oid === 1184
      ? keepText
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** The origin of pools and connections: their address, and the product that opened them. */
export interface Home {
  readonly url: string;
  services: Services | null;
  readonly watch: Primary;
}
export const homes = new WeakMap<object, Home>();

export function dbOf(client: pg.Pool | pg.PoolClient): Db {
  const get = () => {
    const services = homes.get(client)?.services;
    if (!services) throw new Error('no product has been put together on this database');
    return services;
  };
  return Object.defineProperty(drizzle(client), 'services', { get }) as Db;
}

/** Queries that a reading call issues at the same moment share one round trip. */
export function readingOf(home: Home, asking: { query: Query }): Db {
  homes.set(asking, home);
  return dbOf(asking as pg.Pool);
}

/** A value for each database that a process uses, made on first use; for a database opened elsewhere nothing is kept. */
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

interface Wanted {
  max: number;
  /** The pool writes nothing. */
  reads?: boolean;
  /** Milliseconds to wait for a connection; 10,000 unless given. */
  patience?: number | undefined;
  onError(error: Error): void;
}

export function openPool(
  home: Home,
  hosts: Hosts,
  { max, reads = false, patience = 10_000, onError }: Wanted,
): pg.Pool {
  const pool = new pg.Pool({
    ...poolOf(hosts, reads),
    max,
    types,
    application_name: 'gongdan',
    pipeline: true,
    connectionTimeoutMillis: patience,
    idleTimeoutMillis: 60_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    options: `-c timezone=${houseZone}${reads ? ' -c default_transaction_read_only=on' : ''}`,
  });
  homes.set(pool, home);
  pool.on('error', onError);
  pool.on('connect', (client) => {
    homes.set(client, home);
    client.on('error', onError);
  });
  return pool;
}

/** Asks the primary, but only while it is there. Throws `Away` if it is not, or was lost meanwhile. */
export async function patiently<T>(watch: Primary, ask: () => Promise<T>): Promise<T> {
  if (!watch.up()) throw new Away();
  try {
    return await watch.whileThere(ask());
  } catch (error) {
    throw lostWith(error);
  }
}

/** The error itself, or `Away` if the connection was lost; not if all connections were in use, for which other callers are to blame. */
export const lostWith = (error: unknown): unknown =>
  isLost(error) && !isCrowded(error) && !(error instanceof Away) ? new Away(error) : error;
