import { and, asc, eq, gt, gte, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus } from '../contract/codes.ts';
import { meetTable as m } from '../tables.ts';

export type Scope = 'this' | 'following' | 'all';
/** The ids of the dates in the scope, future ones only if several; the meeting itself if it is no repeat. */
export async function datesIn(tx: Db, id: number, scope: Scope): Promise<number[]> {
  if (scope === 'this') return [id];
  const [row] = await tx
    .select({ id: m.id, series_id: m.series_id, original_start: m.original_start })
    .from(m)
    .where(eq(m.id, id));
  if (!row?.series_id) return [id];
  const rows = await tx
    .select({ id: m.id })
    .from(m)
    .where(
      and(
        eq(m.series_id, row.series_id),
        eq(m.is_deleted, false),
        inArray(m.act_state, [actState.ongoing, actState.finished]),
        eq(m.meet_status, meetStatus.coming),
        gt(m.start_time, sql`now()`),
        scope === 'following' ? gte(m.original_start, row.original_start!) : undefined,
      ),
    )
    .orderBy(asc(m.id));
  return rows.length > 0 ? rows.map((one) => one.id) : [id];
}
