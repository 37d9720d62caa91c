import { and, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { loginRules } from '#modules/platform/settings/contract/login.ts';
import { deliveryTable, hasEnded } from './tables.ts';

const portion = 1000;

/** Deliveries that ended longer ago, the oldest first; locked. */
export const endedBefore = (tx: Db, days: number) =>
  tx
    .select({ id: deliveryTable.id })
    .from(deliveryTable)
    .where(and(hasEnded, lt(deliveryTable.gmt_modified, sql`now() - make_interval(days => ${days})`)))
    .orderBy(deliveryTable.gmt_modified)
    .limit(portion)
    .for('update', { skipLocked: true });

/** Removes one portion of deliveries that ended longer ago than the operation log is kept, with their tries; returns true if more may wait. */
export async function purgeDeliveries(tx: Db): Promise<boolean> {
  const { log_keep_days: days } = (await readRules(tx, loginRules)).value;
  const gone = await tx
    .delete(deliveryTable)
    .where(inArray(deliveryTable.id, endedBefore(tx, days)))
    .returning({ id: deliveryTable.id });
  return gone.length === portion;
}
