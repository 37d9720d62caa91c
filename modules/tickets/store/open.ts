import { and, count, eq, notInArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { ticketTable } from '../tables.ts';
import { overStates } from '#modules/workflows/engine/codes.ts';

/** How many tickets of a department are neither over nor deleted. */
export async function openTicketsOf(tx: Db, deptId: number): Promise<number> {
  const [row] = await tx
    .select({ open: count() })
    .from(ticketTable)
    .where(
      and(
        eq(ticketTable.dept_id, deptId),
        eq(ticketTable.is_deleted, false),
        notInArray(ticketTable.act_state, [...overStates]),
      ),
    );
  return row?.open ?? 0;
}
