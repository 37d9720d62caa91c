import { inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { custodyState } from '../contract/seal-codes.ts';
import { stampTable } from '../tables/seals.ts';
import { custodyTable } from '../tables/seals.ts';

export type StampRow = typeof stampTable.$inferSelect;

/**
 * Locks seals until the transaction ends, in ascending order of id, before lines and loans. Sealing, lending, returning, handing over and
 * reporting a loss lock first and read the keeper afterwards, so that concurrent ones are ordered.
 */
export async function lockStamps(tx: Db, ids: readonly number[]): Promise<StampRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(stampTable)
    .where(inArray(stampTable.id, [...ids]))
    .orderBy(stampTable.id)
    .for('no key update');
}

/** Adds an event in effect at once to a seal's chain; the caller changes the seal in the same transaction. */
export async function writeCustody(
  tx: Db,
  event: Pick<typeof custodyTable.$inferInsert, 'stamp_id' | 'kind' | 'creator_id'> &
    Partial<typeof custodyTable.$inferInsert>,
): Promise<number> {
  const [row] = await tx
    .insert(custodyTable)
    .values({ ...event, state: custodyState.inEffect, decided_at: sql`now()` })
    .returning({ id: custodyTable.id });
  return row!.id;
}
