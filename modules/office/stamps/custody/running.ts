import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { custodyKind, custodyState } from '../contract/seal-codes.ts';
import { custodyTable } from '../tables/seals.ts';

/** The 代管 that is running, or has expired without being returned. */
export async function runningCaretaker(tx: Db, stampId: number): Promise<typeof custodyTable.$inferSelect | undefined> {
  const { stamp_id, kind, state, ended_at, from_time } = custodyTable;
  const [row] = await tx
    .select()
    .from(custodyTable)
    .where(
      and(
        eq(stamp_id, stampId),
        eq(kind, custodyKind.caretaker),
        eq(state, custodyState.inEffect),
        isNull(ended_at),
        sql`${from_time} <= now()`,
      ),
    )
    .orderBy(sql`${custodyTable.id} desc`)
    .limit(1);
  return row;
}
