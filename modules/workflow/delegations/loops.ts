import { and, gt, isNull, lt, sql } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { both } from './service.ts';
import { standInTable } from './tables.ts';

export interface Planned {
  from: number;
  to: number;
  start: string;
  end: string;
  workflows: readonly number[] | null;
}

/**
 * Returns the people around whom a planned delegation would send tasks in a ring, from the first back to the first; null if there is no ring.
 * Delegations count only where their times and workflows overlap all the way round. Other plans wait until the transaction ends.
 */
export async function ringOf(tx: Db, planned: Planned): Promise<number[] | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('stand-ins'))`);
  const rows = await tx
    .select()
    .from(standInTable)
    .where(
      and(
        isNull(standInTable.ended_at),
        lt(standInTable.starts_at, planned.end),
        gt(standInTable.ends_at, planned.start),
      ),
    );
  const ways = rows.map((row) => ({
    from: row.from_id,
    to: row.to_id,
    start: Date.parse(row.starts_at),
    end: Date.parse(row.ends_at),
    workflows: row.workflow_ids,
  }));
  const { from, to, workflows } = planned;
  const begin = {
    at: to,
    path: [from, to],
    workflows,
    start: momentOf(planned.start).getTime(),
    end: momentOf(planned.end).getTime(),
  };
  const open = [begin];
  for (let one = open.pop(); one; one = open.pop()) {
    for (const way of ways) {
      if (way.from !== one.at) continue;
      const shared = both(one.workflows, way.workflows);
      const [start, end] = [Math.max(one.start, way.start), Math.min(one.end, way.end)];
      if (start >= end || shared?.length === 0) continue;
      if (way.to === from) return [...one.path, from];
      if (!one.path.includes(way.to))
        open.push({ at: way.to, path: [...one.path, way.to], workflows: shared, start, end });
    }
  }
  return null;
}
