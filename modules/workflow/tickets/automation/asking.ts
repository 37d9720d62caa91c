import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { lockOf } from '#kernel/server/jobs/periodic.ts';

const key = lockOf('who is in a department or has a role');
const pause = 50;

/**
 * A column that takes a shared lock: this transaction is about to ask who is in a department or role, or works here at all. Only `askedBefore` waits
 * for it.
 */
export const asks = sql`pg_advisory_xact_lock_shared(${key}::bigint)::text as asks`;
export const asksText = `pg_advisory_xact_lock_shared(${key}::bigint)::text`;

/**
 * Waits for all transactions that have asked up to now who is in a department or role. Later ones see every change committed by now; the decisions of
 * those before can be read afterwards.
 */
export async function askedBefore(db: Db): Promise<void> {
  let waiting = await asking(db);
  while (waiting.size > 0) {
    await sleep(pause);
    const still = await asking(db);
    waiting = new Set([...waiting].filter((one) => still.has(one)));
  }
}

async function asking(db: Db): Promise<Set<string>> {
  const { rows } = await db.execute<{ one: string }>(sql`
    select virtualtransaction as one from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) + objid::bigint = ${key}::bigint`);
  return new Set(rows.map((row) => row.one));
}
