import { and, eq } from 'drizzle-orm';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { replyState } from '../contract/codes.ts';
import type { Attend } from '../contract/schedules.ts';
import { scheduleTable } from '../tables.ts';
import { recordChange } from './actions.ts';
import { attendsOf, writeAnswers, type SourceAnswer } from './attends.ts';

const labelsOf = (attends: readonly Attend[]) =>
  Object.fromEntries(attends.map((one) => [one.alias, replyState.label(one.state)]));

/** Writes the answers that a source record holds onto its entry, after one of them changed; without an entry, nothing. */
export async function followAnswers(
  tx: Db,
  module: string,
  id: number,
  answers: readonly SourceAnswer[],
  { by, at, reason }: { by: number; at: string; reason: string },
): Promise<void> {
  const [entry] = await tx
    .select({ id: scheduleTable.id })
    .from(scheduleTable)
    .where(and(eq(scheduleTable.source_module, module), eq(scheduleTable.source_id, id)));
  if (!entry) return;
  const labels = async () => labelsOf((await attendsOf(tx, [entry.id])).get(entry.id) ?? []);
  const before = await labels();
  if (!(await writeAnswers(tx, entry.id, answers, { by, at }))) return;
  const gone = Object.fromEntries(Object.keys(before).map((alias) => [alias, '不再参加']));
  const after = { ...gone, ...(await labels()) };
  await recordChange(tx, { before, after, by, kind: 'reply', reason }, entry.id);
  changed(tx, 'leader', [everybody]);
}
