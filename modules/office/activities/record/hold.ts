import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { confirm } from '#modules/platform/bookings/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { holdRoom as holdMore, leaveRoom, settleRoom, takeRoom, type Taking } from '#modules/platform/rooms/service.ts';

interface Placed {
  id: number;
  creator_id: number;
  room_id: number | null;
  start_time: string | null;
  end_time: string | null;
}
const slot = (row: Placed, name = '') => ({ module: 'activities', record_id: row.id, slot: name });
const wanted = 'wanted';
const of = ({ room_id, start_time, end_time }: Placed) =>
  ({ room_id, start_time, end_time, state: 'held' }) as Taking & { room_id: number };
/** The room is booked by the rights of the author of the declaration, whoever moves its ticket. */
const by = async (tx: Db, { creator_id }: Placed, now: Date): Promise<{ user: Viewer; now: Date }> => ({
  user: viewerOf((await personWithRights(tx, creator_id))!, 0),
  now,
});

/** Holds the room of an activity in review, so that nobody else can book it until it is decided. */
export async function holdRoom(tx: Db, row: Placed, now: Date): Promise<void> {
  if (row.room_id !== null) await takeRoom(tx, slot(row), of(row), await by(tx, row, now));
}
/** Confirms the hold on approval. False if a hold that should exist is gone. */
export const keepRoom = async (tx: Db, row: Placed): Promise<boolean> => row.room_id === null || confirm(tx, slot(row));
export async function freeRoom(tx: Db, { id: record_id }: Placed, from?: string): Promise<void> {
  await leaveRoom(tx, { module: 'activities', record_id }, from);
}

const isMoved = (before: Placed, next: Placed) =>
  (['room_id', 'start_time', 'end_time'] as const).some((key) => before[key] !== next[key]);
/** Holds the time and room that a change asks for, beside those that the activity has. */
export async function holdChange(tx: Db, before: Placed, next: Placed, now: Date): Promise<void> {
  if (isMoved(before, next) && next.room_id !== null)
    await holdMore(tx, slot(next, wanted), of(next), await by(tx, next, now));
}
/** Gives the activity the held time and room when its change is approved. */
export async function settleChange(tx: Db, before: Placed, next: Placed): Promise<void> {
  if (!isMoved(before, next)) return;
  if (next.room_id === null) await freeRoom(tx, next);
  else await settleRoom(tx, slot(next), { ...of(next), state: 'confirmed' });
}
/** Releases the hold of a change that was not approved; the activity keeps its own. The two have separate slots, even where they overlap. */
export async function dropChange(tx: Db, before: Placed): Promise<void> {
  for (const part of [wanted, `${wanted}1`]) await leaveRoom(tx, slot(before, part));
}
