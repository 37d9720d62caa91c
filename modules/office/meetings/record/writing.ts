import { eq } from 'drizzle-orm';
import { invalid } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, detachAll } from '#modules/platform/files/service.ts';
import { checkAudience, namesIn } from '#modules/platform/people/service/audience.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import type { ColumnsOf } from '#modules/workflow/records/service.ts';
import { requireRoom } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { peopleGone, roomTooSmall } from '../contract/refusals.ts';
import { MeetInput } from '../contract/shapes.ts';
import { invited } from '../acts/people.ts';
import { guestTable, meetTable, topicTable } from '../tables.ts';
import { faultsOf, module, notAfter, type Meet } from './record.ts';

type Input = Partial<MeetInput>;
/** Names of people, including those who left; unknown ids are shown as numbers. */
export async function calledOrNumbered(tx: Db, ids: readonly number[]): Promise<string[]> {
  const known = await peopleById(tx, ids);
  return ids.map((id) => known.get(id)?.alias ?? `编号 ${id}`);
}

const beside: readonly string[] = ['guests', 'topics', 'confirm', 'audience', 'dept_id', 'repeat'];
const own = Object.keys(MeetInput.shape).filter((key) => !beside.includes(key)) as (keyof MeetInput)[];

const given = (input: Input) =>
  Object.fromEntries(own.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));

/** True if one of the columns that were sent is not as it stands in the row. */
export const differs = (row: Meet, next: Partial<Meet>, keys: readonly (keyof Meet)[]): boolean =>
  keys.some((key) => next[key] !== undefined && JSON.stringify(next[key]) !== JSON.stringify(row[key]));

/** The sent fields as columns; refuses unknown people. The department defaults to the creator's. */
export async function columnsOf(tx: Db, input: Input, before: Meet | null): Promise<ColumnsOf<typeof meetTable>> {
  const { audience, dept_id, host_id, contact_id, recorder_id, observers = [] } = input;
  const { start_time: start, end_time: end, room_id } = { ...before, ...input };
  if (start && end && end <= start) throw invalid([notAfter(end)]);
  // A meeting in review or approved must stay complete; whether it is too late is checked only when its time changes.
  const lacks =
    before && actState.is(before.act_state, actState.ongoing, actState.finished)
      ? faultsOf({ ...before, ...given(input) }, new Date(0))
      : [];
  if (lacks.length > 0) throw invalid(lacks);
  if (room_id && room_id !== before?.room_id) await requireRoom(tx, room_id);
  if (audience) await checkAudience(tx, audience);
  const known = before ? [before.host_id, before.contact_id, before.recorder_id, ...before.observers] : [];
  const named = new Set([host_id, contact_id, recorder_id, ...observers].flatMap((id) => id ?? []));
  const fresh = [...named].filter((id) => !known.includes(id));
  const there = await workingAmong(tx, fresh);
  const gone = fresh.filter((id) => !there.includes(id));
  if (gone.length > 0) throw peopleGone(await calledOrNumbered(tx, gone));
  return {
    ...given(input),
    ...(audience && { audience: namesIn(audience) }),
    ...(typeof dept_id === 'number' && { dept_id }),
  };
}

/** Writes guests, agenda and files of a meeting, and the number of invited people. */
export async function writeBeside(tx: Db, row: Meet, input: Input, user: Viewer, was: Meet | null): Promise<void> {
  const { id } = row;
  if (input.guests) await writeGuests(tx, id, input.guests);
  const before = await tx.select().from(topicTable).where(eq(topicTable.meet_id, id));
  const had = [...(was?.materials ?? []), ...before.flatMap((topic) => topic.files)];
  if (input.topics) {
    await tx.delete(topicTable).where(eq(topicTable.meet_id, id));
    const rows = input.topics.map((topic, at) => ({ ...topic, meet_id: id, no: at + 1 }));
    if (rows.length > 0) await tx.insert(topicTable).values(rows);
  }
  const kept = [...row.materials, ...(input.topics ?? before).flatMap((topic) => topic.files)];
  await attachAll(tx, { fileIds: kept.filter((file) => !had.includes(file)), module, recordId: id, user });
  await detachAll(tx, { fileIds: had.filter((file) => !kept.includes(file)), module, recordId: id });
  await countAsked(tx, row);
}

/** Stores the number of invited people, including guests. */
export async function countAsked(tx: Db, row: Meet): Promise<void> {
  const guests = await tx.$count(guestTable, eq(guestTable.meet_id, row.id));
  const attend_count = (await invited(tx, row)).length + guests;
  if (attend_count === row.attend_count) return;
  await tx.update(meetTable).set({ attend_count }).where(eq(meetTable.id, row.id));
  row.attend_count = attend_count;
}

/** Writes the guests; one that exists keeps its mobile number if none is sent. */
async function writeGuests(tx: Db, meet_id: number, guests: NonNullable<Input['guests']>): Promise<void> {
  const { secretBox } = tx.services;
  const before = new Map(
    (await tx.select().from(guestTable).where(eq(guestTable.meet_id, meet_id))).map((one) => [one.id, one]),
  );
  await tx.delete(guestTable).where(eq(guestTable.meet_id, meet_id));
  const rows = guests.map(({ id, name, org, mobile }) => {
    const { id: _id, ...old } = before.get(id ?? 0) ?? { id: 0, mobile: null, mobile_mark: null, mobile_tail: null };
    const number = mobile
      ? { mobile: secretBox.seal(mobile), mobile_mark: secretBox.keyedHash(mobile), mobile_tail: mobile.slice(-4) }
      : {};
    return { ...old, ...number, meet_id, name, org };
  });
  const marks = rows.map((row) => ('mobile_mark' in row ? row.mobile_mark : null));
  const twice = rows.find((_row, at) => marks[at] && marks.indexOf(marks[at]) < at);
  if (twice)
    throw invalid([
      { field: 'guests', label: '校外人员', msg: `${twice.name}的手机号与另一位校外人员相同，请核对或只留一位` },
    ]);
  if (rows.length > 0) await tx.insert(guestTable).values(rows);
}

/** Refuses a room with fewer seats than people, unless the writer confirmed it. */
export async function refuseTooSmall(
  tx: Db,
  row: Pick<Meet, 'room_id' | 'attend_count'>,
  { confirm }: Input,
): Promise<void> {
  if (confirm || row.room_id === null) return;
  const { name, capacity } = await requireRoom(tx, row.room_id);
  if (capacity < row.attend_count) throw roomTooSmall(name, capacity, row.attend_count);
}
