import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { overAt } from '../ending.ts';
import { ringOf } from '../loops.ts';
import { standInTable } from '../tables.ts';

/** The record of another module that made the delegation. Only this record and the absent person may move or end it. */
export interface StandingSource {
  module: string;
  id: number;
}
export interface Standing {
  from: number;
  to: number;
  start: string;
  end: string;
  reason: string;
  source: StandingSource;
}
const of = ({ module, id }: StandingSource) =>
  and(eq(standInTable.source_module, module), eq(standInTable.source_id, id));

/**
 * Delegates everything that waits for a person, or moves such a delegation to another time. A delegation that the person had made stays as it is
 * (`own`), and a ring of delegations is refused (`round`).
 */
export async function standFor(
  tx: Db,
  { from, to, start, end, reason, source }: Standing,
): Promise<'stands' | 'own' | 'round'> {
  // Other plans wait until the transaction ends.
  if (await ringOf(tx, { from, to, start, end, workflows: null })) return 'round';
  const { id, from_id, starts_at, ends_at, ended_at, source_id, source_module } = standInTable;
  const [own] = await tx
    .select({ id })
    .from(standInTable)
    .where(
      and(
        eq(from_id, from),
        isNull(ended_at),
        lt(starts_at, end),
        gt(ends_at, start),
        or(isNull(source_id), ne(source_id, source.id), ne(source_module, source.module)),
      ),
    );
  if (own) return 'own';
  const period = { to_id: to, starts_at: start, ends_at: end };
  const [row] = await tx
    .insert(standInTable)
    .values({ from_id: from, ...period, reason, source_module: source.module, source_id: source.id })
    .onConflictDoUpdate({ target: [source_module, source_id], targetWhere: sql`source_id is not null`, set: period })
    .returning({ id });
  await overAt(tx, row!.id, to, momentOf(end));
  return 'stands';
}

/** Ends the delegation that a record made, at a time that has come; one that has not begun never will. */
export async function endStanding(tx: Db, source: StandingSource, at: Date): Promise<void> {
  const { id, to_id, ended_at, ends_at } = standInTable;
  const ended = await tx
    .update(standInTable)
    .set({ ended_at: momentText(at) })
    .where(and(of(source), isNull(ended_at), gt(ends_at, momentText(at))))
    .returning({ id, to_id });
  for (const row of ended) await overAt(tx, row.id, row.to_id, houseNow());
}

/** The delegate and the times of a record's delegation, or null if it made none. One that was cancelled before it began counts as none. */
export async function standingOf(
  tx: Db,
  source: StandingSource,
): Promise<{ start: string; end: string; over: boolean } | null> {
  const { starts_at, ends_at, ended_at } = standInTable;
  const end = sql`coalesce(${ended_at}, ${ends_at})`;
  const [row] = await tx
    .select({
      start: sql<string>`left(least(${starts_at}, ${end})::text, 19)`,
      end: sql<string>`left(${end}::text, 19)`,
      over: sql<boolean>`${end} <= now()`,
    })
    .from(standInTable)
    .where(of(source));
  return row ?? null;
}
