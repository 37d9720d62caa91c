import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { missTable } from '../tables.ts';

const longest = 50;
/** The number of days for which a searched word is kept. */
const kept = 400;

/** Records a search without a hit, but not who made it. */
export async function noteMiss(tx: Db, sought: string): Promise<void> {
  const word = [...sought.trim().toLowerCase()].slice(0, longest).join('');
  await tx
    .insert(missTable)
    .values({ word })
    .onConflictDoUpdate({ target: [missTable.word, missTable.day], set: { times: sql`${missTable.times} + 1` } });
}

/** Deletes old searches. */
export async function forgetMisses(tx: Db): Promise<void> {
  await tx.delete(missTable).where(sql`${missTable.day} < current_date - ${kept}::int`);
}
