import { and, eq } from 'drizzle-orm';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { replyState } from '../contract/codes.ts';
import { attendTable, scheduleTable } from '../tables.ts';
import { recordChange } from './actions.ts';
import { attendsOf, type Answered } from './attends.ts';

/** Records an answer that a leader gave to the source record, so that the entry no longer asks them. */
export async function answered(
  tx: Db,
  module: string,
  { id, leader, result, to, note, by }: Answered,
  { at, dropped }: { at: string; dropped?: number | null | undefined },
): Promise<void> {
  const [entry] = await tx
    .select({ id: scheduleTable.id })
    .from(scheduleTable)
    .where(and(eq(scheduleTable.source_module, module), eq(scheduleTable.source_id, id)));
  const attends = entry ? ((await attendsOf(tx, [entry.id])).get(entry.id) ?? []) : [];
  const one = attends.find((each) => each.id === leader);
  if (!entry || !one || (one.state === result && one.note === note)) return;
  const { schedule_id, leader_id } = attendTable;
  await tx
    .update(attendTable)
    .set({ state: result, note, by, at })
    .where(and(eq(schedule_id, entry.id), eq(leader_id, leader)));
  if (dropped)
    await tx
      .delete(attendTable)
      .where(and(eq(schedule_id, entry.id), eq(leader_id, dropped), eq(attendTable.state, replyState.none)));
  if (to !== null)
    await tx
      .insert(attendTable)
      .values({ schedule_id: entry.id, leader_id: to, state: replyState.none, note: '' })
      .onConflictDoUpdate({ target: [schedule_id, leader_id], set: { state: replyState.none, note: '' } });
  const said = {
    before: { [one.alias]: replyState.label(one.state) },
    after: { [one.alias]: replyState.label(result) },
  };
  await recordChange(tx, { ...said, by, kind: 'reply', reason: note }, entry.id);
  changed(tx, 'leader', [everybody]);
}
