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
/** By whose rights a room is had: theirs who declared it, whoever moves its ticket. */
const by = async (tx: Db, { creator_id }: Placed, now: Date): Promise<{ user: Viewer; now: Date }> => ({
  user: viewerOf((await personWithRights(tx, creator_id))!, 0),
  now,
});

/** Holds the room of an activity that is on its way: nobody else has it then, until it is decided. */
export async function holdRoom(tx: Db, row: Placed, now: Date): Promise<void> {
  if (row.room_id !== null) await takeRoom(tx, slot(row), of(row), await by(tx, row, now));
}
/** It is agreed to. False where there is no hold any more that there should be. */
export const keepRoom = async (tx: Db, row: Placed): Promise<boolean> => row.room_id === null || confirm(tx, slot(row));
export async function freeRoom(tx: Db, { id: record_id }: Placed, from?: string): Promise<void> {
  await leaveRoom(tx, { module: 'activities', record_id }, from);
}

const isMoved = (before: Placed, next: Placed) =>
  (['room_id', 'start_time', 'end_time'] as const).some((key) => before[key] !== next[key]);
/** Takes what a change wants beside what the activity has. */
export async function holdChange(tx: Db, before: Placed, next: Placed, now: Date): Promise<void> {
  if (isMoved(before, next) && next.room_id !== null)
    await holdMore(tx, slot(next, wanted), of(next), await by(tx, next, now));
}
/** The change is agreed to: what it took is what the activity has. */
export async function settleChange(tx: Db, before: Placed, next: Placed): Promise<void> {
  if (!isMoved(before, next)) return;
  if (next.room_id === null) await freeRoom(tx, next);
  else await settleRoom(tx, slot(next), { ...of(next), state: 'confirmed' });
}
/** It came to nothing: the activity has what it had. What is wanted on both sides of that is in two slots. */
export async function dropChange(tx: Db, before: Placed): Promise<void> {
  for (const part of [wanted, `${wanted}1`]) await leaveRoom(tx, slot(before, part));
}
