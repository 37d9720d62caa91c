import { inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { keep, withdraw } from '#modules/leaders/service.ts';
import { holdersOf } from '#modules/people/service.ts';
import { attendeeTable, meetTable } from '../tables.ts';
import { placeText } from './notice.ts';

type Row = Omit<typeof meetTable.$inferSelect, 'search'>;
const sourceOf = ({ id }: Pick<Row, 'id'>) => ({ module: 'meetings', id, path: `/meet/detail/${id}` });

/** Leaders whom some meetings ask to come, by meeting. */
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

async function keepOne(tx: Db, row: Row, leaders: readonly number[], by: number | null): Promise<void> {
  await keep(tx, {
    source: sourceOf(row),
    version: row.version,
    by: by ?? row.creator_id,
    leaders,
    start: row.start_time!,
    end: row.end_time!,
    title: row.title,
    place: await placeText(tx, row),
    visibility: row.is_public ? 1 : 2,
    dept_id: row.dept_id,
  });
}

/** Meetings that were agreed to stand in the schedules of the leaders who are asked to them. */
export async function keepForLeaders(tx: Db, ids: readonly number[], by: number | null): Promise<void> {
  const leaders = await leadersAt(tx, ids);
  if (leaders.size === 0) return;
  const rows = await tx
    .select()
    .from(meetTable)
    .where(inArray(meetTable.id, [...leaders.keys()]))
    .orderBy(meetTable.start_time);
  for (const row of rows) await keepOne(tx, row, leaders.get(row.id)!, by);
}

/** A meeting that was agreed to is otherwise now: at another time or place, or asks others. */
export async function changeForLeaders(tx: Db, row: Row, by: number | null): Promise<void> {
  const leaders = (await leadersAt(tx, [row.id])).get(row.id);
  if (leaders) await keepOne(tx, row, leaders, by);
  else await withdraw(tx, sourceOf(row), row.version, { by, reason: '会议不再请领导参加' });
}

/** Meetings are not held. */
export async function withdrawFromLeaders(
  tx: Db,
  rows: readonly Row[],
  by: number | null,
  reason: string,
): Promise<void> {
  for (const row of rows) await withdraw(tx, sourceOf(row), row.version, { by, reason });
}
