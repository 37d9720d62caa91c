import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { busyWord, replyState, timeText } from '../contract/codes.ts';
import { clashes } from '../contract/refusals.ts';
import type { Span } from '../engine/cells.ts';
import { attendTable, scheduleTable } from '../tables.ts';
import { living, surelyFor } from './visibility.ts';

const s = scheduleTable;
/** Locks the time of leaders until the transaction ends, always in the same order, so that later writers see earlier ones. */
export const lockLeaders = async (tx: Db, leaders: readonly number[]): Promise<void> => {
  for (const leader of [...new Set(leaders)].toSorted((a, b) => a - b))
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`leader:${leader}`}, 0))`);
};
/** Condition: the schedule overlaps the interval; touching ends do not. */
export const during = ({ start_time, end_time }: Span) =>
  sql`tstzrange(${s.start_time}, ${s.end_time}) && tstzrange(${start_time}::timestamptz, ${end_time}::timestamptz)`;

/**
 * The entries of leaders at a time, forced ones too, in the detail `person` may see. Leaves out entry `but` and entries that follow module
 * `besides`.
 */
export const takenBy = (tx: Db, leaders: readonly number[], span: Span, person: number, but = 0, besides = '') =>
  tx
    .select({
      id: s.id,
      leader: attendTable.leader_id,
      alias: sql<string>`(select alias from app_user where id = ${attendTable.leader_id})`,
      title: sql<string>`case when ${surelyFor(person)} then ${s.title} else ${busyWord} end`,
      start_time: s.start_time,
      end_time: s.end_time,
      all_day: s.all_day,
    })
    .from(attendTable)
    .innerJoin(s, eq(s.id, attendTable.schedule_id))
    .where(
      and(
        isAmong(attendTable.leader_id, leaders),
        sql`${attendTable.state} < ${inSql(replyState.declines)}`,
        living,
        during(span),
        ne(s.id, but),
        besides ? ne(sql`coalesce(${s.source_module}, '')`, besides) : undefined,
      ),
    )
    .orderBy(asc(s.start_time), asc(s.id));

/** Takes leaders' time for a schedule under their locks; refuses if they have another entry and the writer does not force. */
export async function takeTime(
  tx: Db,
  leaders: readonly number[],
  span: Span,
  { by, but, forced, canForce }: { by: number | null; but: number; forced: boolean; canForce: boolean },
): Promise<boolean> {
  const ask = async () => {
    const taken = await takenBy(tx, leaders, span, by ?? 0, but);
    if (taken.length === 0 || forced) return taken.length > 0;
    throw clashes(
      taken.slice(0, 10).map((one) => ({ leader: one.alias, time: timeText(one), title: one.title })),
      canForce,
    );
  };
  // Checked before locking, so that a clash is refused without waiting for others.
  if (!forced) await ask();
  await lockLeaders(tx, leaders);
  return ask();
}
