import { and, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { replyState as entryState } from '#modules/office/leaders/contract/codes.ts';
import {
  followAnswers,
  keep,
  keepDates,
  withdraw,
  type KeptDate,
  type SourceAnswer,
} from '#modules/office/leaders/service.ts';
import { holdersOf } from '#modules/platform/people/service.ts';
import { replyState, substituteState } from '../contract/codes.ts';
import { module } from '../record/slot.ts';
import { attendeeTable, meetTable } from '../tables.ts';
import { placeText } from './notice.ts';

type Row = Omit<typeof meetTable.$inferSelect, 'search'>;
const sourceOf = ({ id }: Pick<Row, 'id'>) => ({ module, id, path: `/meet/detail/${id}` });

interface Line {
  leader: number;
  reply: number;
  reason: string;
  substitute: { id: number; alias: string; state: number; leads: boolean } | null;
}
/** The state of an invited leader on the entry, by the answer to the meeting. */
const leaderIs: Readonly<Record<number, number>> = {
  [replyState.none]: entryState.none,
  [replyState.comes]: entryState.comes,
  [replyState.excused]: entryState.declines,
};
/** The state of a substitute who is a leader. */
const substituteIs: Readonly<Record<number, number>> = {
  [substituteState.asked]: entryState.none,
  [substituteState.comes]: entryState.comes,
  [substituteState.declines]: entryState.declines,
};
/**
 * A leader's answer to a meeting as the entry shows it, and that of the leader who comes instead. If a substitute declines, the one who sent
 * them is asked again. A substitute who is no leader has no entry, so the leader does not come.
 */
function answersOf({ leader, reply, reason, substitute }: Line): SourceAnswer[] {
  if (substitute === null) return [{ leader, state: leaderIs[reply]!, note: reason }];
  const { id, alias, state, leads } = substitute;
  // A reason that they gave when they were asked before is none for being asked anew.
  const note = state === substituteState.asked ? { note: '' } : {};
  const instead = leads ? [{ leader: id, state: substituteIs[state]!, ...note }] : [];
  if (state === substituteState.declines) return [{ leader, state: entryState.none, note: '' }, ...instead];
  if (leads) return [{ leader, state: entryState.passesOn, note: reason }, ...instead];
  return [{ leader, state: entryState.declines, note: `请${alias}代为参加。${reason}`.slice(0, 200) }];
}

/** Invited leaders and their answers, by meeting. */
async function answersAt(tx: Db, ids: readonly number[]): Promise<Map<number, SourceAnswer[]>> {
  const leaders = ids.length === 0 ? [] : (await holdersOf(tx, 'xld')).map((one) => one.id);
  if (leaders.length === 0) return new Map();
  const a = attendeeTable;
  const lines = await tx
    .select({
      meet: a.meet_id,
      leader: a.user_id,
      reply: a.reply,
      reason: a.reply_reason,
      substitute: a.substitute_id,
      state: a.substitute_state,
      alias: sql<string>`coalesce((select alias from app_user where id = ${a.substitute_id}), '')`,
    })
    .from(a)
    .where(and(inArray(a.meet_id, [...ids]), inArray(a.user_id, leaders)))
    .orderBy(a.user_id);
  const found = new Map<number, Map<number, SourceAnswer>>();
  for (const { meet, substitute: id, state, alias, ...line } of lines) {
    const answers = found.get(meet) ?? new Map<number, SourceAnswer>();
    found.set(meet, answers);
    const substitute = id === null ? null : { id, alias, state: state!, leads: leaders.includes(id) };
    // A leader who declined for one colleague may be asked by another, which then counts.
    for (const answer of answersOf({ ...line, substitute }))
      if ((answers.get(answer.leader)?.state ?? entryState.declines) === entryState.declines)
        answers.set(answer.leader, answer);
  }
  return new Map(Array.from(found, ([meet, answers]) => [meet, [...answers.values()]]));
}

async function keepOne(tx: Db, row: Row, answers: readonly SourceAnswer[], by: number | null): Promise<void> {
  await keep(tx, { ...(await entryOf(tx, row, answers, by)), ...dateOf(row), answers });
}
const dateOf = (row: Row): KeptDate => ({
  source: sourceOf(row),
  version: row.version,
  start: row.start_time!,
  end: row.end_time!,
});
const entryOf = async (tx: Db, row: Row, answers: readonly SourceAnswer[], by: number | null) => ({
  by: by ?? row.creator_id,
  leaders: answers.filter((one) => one.state !== entryState.passesOn).map((one) => one.leader),
  title: row.title,
  place: await placeText(tx, row),
  visibility: row.is_public ? (1 as const) : (2 as const),
  dept_id: row.dept_id,
});

/** Puts approved meetings into the schedules of their invited leaders. */
export async function keepForLeaders(tx: Db, ids: readonly number[], by: number | null): Promise<void> {
  const answers = await answersAt(tx, ids);
  if (answers.size === 0) return;
  const rows = await tx
    .select()
    .from(meetTable)
    .where(inArray(meetTable.id, [...answers.keys()]))
    .orderBy(meetTable.start_time);
  const alike = Map.groupBy(rows, (row) => JSON.stringify([row.series_id ?? `own ${row.id}`, answers.get(row.id)]));
  for (const dates of alike.values()) {
    const given = answers.get(dates[0]!.id)!;
    const together = dates.length > 1 && given.every((one) => one.state === entryState.none);
    const kept = together && (await keepDates(tx, await entryOf(tx, dates[0]!, given, by), dates.map(dateOf)));
    for (const row of dates) if (!kept || !kept.has(row.id)) await keepOne(tx, row, given, by);
  }
}

/** Updates the schedules after a change of an approved meeting: time, place or people. */
export async function changeForLeaders(tx: Db, row: Row, by: number | null): Promise<void> {
  const answers = (await answersAt(tx, [row.id])).get(row.id);
  if (answers) await keepOne(tx, row, answers, by);
  else await withdraw(tx, sourceOf(row), row.version, { by, reason: '会议不再请领导参加' });
}

/** Withdraws cancelled meetings from the schedules. */
export async function withdrawFromLeaders(
  tx: Db,
  rows: readonly Row[],
  by: number | null,
  reason: string,
): Promise<void> {
  for (const row of rows) await withdraw(tx, sourceOf(row), row.version, { by, reason });
}

/** Writes the answers of a meeting onto the leaders' entry, after one of them changed. */
export async function answerForLeaders(
  tx: Db,
  id: number,
  said: { by: number; at: string; reason: string },
): Promise<void> {
  const answers = (await answersAt(tx, [id])).get(id);
  if (answers) await followAnswers(tx, module, id, answers, said);
}
