import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { closeTodo } from '#modules/platform/messages/service.ts';
import { answered, keep, keepDates, withdraw, type Answered, type KeptDate } from '#modules/office/leaders/service.ts';
import { holdersOf, type PersonCard } from '#modules/platform/people/service.ts';
import { replyState, signState, substituteState } from '../contract/codes.ts';
import { attendeeTable, meetTable } from '../tables.ts';
import { placeText } from './notice.ts';

type Row = Omit<typeof meetTable.$inferSelect, 'search'>;
const sourceOf = ({ id }: Pick<Row, 'id'>) => ({ module: 'meetings', id, path: `/meet/detail/${id}` });

/** Invited leaders, by meeting. */
async function leadersAt(tx: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  if (ids.length === 0) return found;
  const leaders = new Set((await holdersOf(tx, 'xld')).map((one) => one.id));
  const asked = await tx
    .select({ meet: attendeeTable.meet_id, user: attendeeTable.user_id })
    .from(attendeeTable)
    .where(inArray(attendeeTable.meet_id, [...ids]));
  for (const { meet, user } of asked)
    if (leaders.has(user))
      found.set(
        meet,
        [...(found.get(meet) ?? []), user].toSorted((a, b) => a - b),
      );
  return found;
}

async function keepOne(tx: Db, row: Row, leaders: readonly number[], by: number | null, again = false): Promise<void> {
  await keep(tx, { ...(await entryOf(tx, row, leaders, by)), ...dateOf(row), again });
}
const dateOf = (row: Row): KeptDate => ({
  source: sourceOf(row),
  version: row.version,
  start: row.start_time!,
  end: row.end_time!,
});
const entryOf = async (tx: Db, row: Row, leaders: readonly number[], by: number | null) => ({
  by: by ?? row.creator_id,
  leaders,
  title: row.title,
  place: await placeText(tx, row),
  visibility: row.is_public ? (1 as const) : (2 as const),
  dept_id: row.dept_id,
});

/** Puts approved meetings into the schedules of their invited leaders. */
export async function keepForLeaders(tx: Db, ids: readonly number[], by: number | null): Promise<void> {
  const leaders = await leadersAt(tx, ids);
  if (leaders.size === 0) return;
  const rows = await tx
    .select()
    .from(meetTable)
    .where(inArray(meetTable.id, [...leaders.keys()]))
    .orderBy(meetTable.start_time);
  const alike = Map.groupBy(rows, (row) => JSON.stringify([row.series_id ?? `own ${row.id}`, leaders.get(row.id)]));
  for (const dates of alike.values()) {
    const going = leaders.get(dates[0]!.id)!;
    const kept = dates.length > 1 && (await keepDates(tx, await entryOf(tx, dates[0]!, going, by), dates.map(dateOf)));
    for (const row of dates) if (!kept || !kept.has(row.id)) await keepOne(tx, row, going, by);
  }
}

/** Updates the schedules after a change of an approved meeting: time (`again`), place or people. */
export async function changeForLeaders(tx: Db, row: Row, by: number | null, again = false): Promise<void> {
  const leaders = (await leadersAt(tx, [row.id])).get(row.id);
  if (leaders) await keepOne(tx, row, leaders, by, again);
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

const { comes, excused, sends } = replyState;

/** Copies a leader's answer to the meeting onto the schedule entry; a substitute who is a leader is asked there. */
export async function answerInSchedule(
  tx: Db,
  id: number,
  leader: number,
  { said, substitute, reason }: { said: number; substitute: PersonCard | null; reason: string },
  { by, at, dropped }: { by: number; at: string; dropped?: number | null },
): Promise<void> {
  const leads = substitute !== null && (await holdersOf(tx, 'xld')).some((one) => one.id === substitute.id);
  const result = said === comes ? 1 : leads ? 3 : 2;
  const note = substitute && !leads ? `请${substitute.alias}代为参加。${reason}`.slice(0, 200) : reason;
  await answered(tx, 'meetings', { id, leader, result, to: leads ? substitute.id : null, note, by }, { at, dropped });
}

/** Copies an answer given on the schedule entry to the meeting, for the leader or for their substitute. */
export async function answeredInSchedule(tx: Db, { id, leader, result, to, note }: Answered): Promise<void> {
  const a = attendeeTable;
  await closeTodo(tx, { module: 'meetings', objectId: id, events: ['MEET_URGE'] }, [leader]);
  const stood = await tx
    .update(a)
    .set({ substitute_state: result === 1 ? substituteState.comes : substituteState.declines })
    .where(
      and(
        eq(a.meet_id, id),
        eq(a.substitute_id, leader),
        inArray(a.substitute_state, [substituteState.asked, substituteState.comes, substituteState.declines]),
      ),
    )
    .returning({ id: a.user_id });
  if (stood.length > 0) return;
  const busy =
    to !== null &&
    sql`exists (select from meet_attendee o where o.meet_id = ${id} and ${to} in (o.user_id, o.substitute_id))`;
  const taken = busy && (await tx.$count(a, and(eq(a.meet_id, id), busy))) > 0;
  const goes = to !== null && !taken ? to : null;
  await tx
    .update(a)
    .set({
      reply: result === 1 ? comes : goes === null ? excused : sends,
      reply_reason: result === 1 ? note : note || '在领导日程中答复',
      reply_time: sql`now()`,
      substitute_id: goes,
      substitute_state: goes === null ? null : substituteState.asked,
    })
    .where(and(eq(a.meet_id, id), eq(a.user_id, leader), eq(a.sign_state, signState.none)));
}
