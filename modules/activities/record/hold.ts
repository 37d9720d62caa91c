import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { confirm, move, release, settle } from '#modules/bookings/service.ts';
import { personWithRights, viewerOf } from '#modules/people/service/rights.ts';
import {
  askingFor,
  breaches,
  leaveRoom,
  requireRoom,
  resource,
  rulesOf,
  takeRoom,
  type Period,
} from '#modules/rooms/service.ts';
import { notAllowed } from '#modules/rooms/contract/refusals.ts';

const module = 'activities';
const slot = 'change';
interface Placed {
  id: number;
  creator_id: number;
  room_id: number | null;
  start_time: string | null;
  end_time: string | null;
}
const periodOf = ({ start_time, end_time }: Placed): Period => ({
  start_time: start_time ?? '',
  end_time: end_time ?? '',
});
const by = async (tx: Db, { creator_id }: Placed): Promise<Viewer> =>
  viewerOf((await personWithRights(tx, creator_id))!, 0);
const mine = ({ id }: Placed) => ({ module, record_id: id });

/** Holds the room of an activity that is on its way: nobody else has it then, whatever becomes of the declaration. */
export async function holdRoom(tx: Db, row: Placed, now: Date): Promise<void> {
  if (row.room_id === null) return;
  await takeRoom(
    tx,
    mine(row),
    { room_id: row.room_id, ...periodOf(row), state: 'held' },
    { user: await by(tx, row), now },
  );
}
/** It is agreed to. False where there is no hold any more that there should be. */
export const keepRoom = async (tx: Db, row: Placed): Promise<boolean> => row.room_id === null || confirm(tx, mine(row));
export const freeRoom = (tx: Db, row: Placed, from?: string) => leaveRoom(tx, mine(row), from);

const apart = (one: Placed, other: Placed) =>
  one.room_id !== other.room_id || one.start_time! >= other.end_time! || other.start_time! >= one.end_time!;

/**
 * Takes what a change wants beside what the activity has. Where both are in one room at one time the hold is stretched over both: a record
 * is not in its own way, and gives nothing up before it is decided.
 */
export async function holdChange(tx: Db, before: Placed, next: Placed, now: Date): Promise<void> {
  const moved = (['room_id', 'start_time', 'end_time'] as const).some((key) => before[key] !== next[key]);
  if (!moved || next.room_id === null) return;
  const user = await by(tx, next);
  const period = periodOf(next);
  if (before.room_id === null || apart(before, next))
    return void (await takeRoom(
      tx,
      { ...mine(next), slot },
      { room_id: next.room_id, ...period, state: 'held' },
      { user, now },
    ));
  const room = await requireRoom(tx, next.room_id);
  const said = breaches((await rulesOf(tx, user, [room])).get(room.id)!, period, now);
  if (said.length > 0) throw notAllowed(said);
  const hull = {
    start_time: [before.start_time!, next.start_time!].toSorted()[0]!,
    end_time: [before.end_time!, next.end_time!].toSorted()[1]!,
  };
  await stretch(tx, next, hull, room.buffer_minutes, await askingFor(tx, room, period, { user, now }));
}
const stretch = (tx: Db, row: Placed, period: Period, padding: number, asking: { name: string }) =>
  move(tx, mine(row), { resource, resource_id: row.room_id!, ...period, padding }, asking);

/** The change is agreed to: what it took is what the activity has. */
export async function settleChange(tx: Db, next: Placed): Promise<void> {
  if (await settle(tx, { ...mine(next), slot })) return;
  if (next.room_id === null) return void (await release(tx, mine(next)));
  const room = await requireRoom(tx, next.room_id);
  await stretch(tx, next, periodOf(next), room.buffer_minutes, room);
}
/** It came to nothing: the activity has what it had. */
export async function dropChange(tx: Db, before: Placed): Promise<void> {
  await release(tx, { ...mine(before), slot });
  if (before.room_id === null) return;
  const room = await requireRoom(tx, before.room_id);
  await stretch(tx, before, periodOf(before), room.buffer_minutes, room);
}
