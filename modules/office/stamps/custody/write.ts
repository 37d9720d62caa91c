import { inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { custodyState } from '../contract/seal-codes.ts';
import { stampTable } from '../tables/seals.ts';
import { custodyTable } from '../tables/seals.ts';

export type StampRow = typeof stampTable.$inferSelect;

/**
 * Takes seals for as long as the transaction lasts, in the order of their numbers. Whoever seals, hands out, takes back, hands over or
 * reports a seal lost does so first, and asks who keeps it afterwards: one of two comes first. Before lines and loans.
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

/** Adds an event that is in effect at once to the chain of a seal; what it changes of the seal is written in the same transaction. */
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
