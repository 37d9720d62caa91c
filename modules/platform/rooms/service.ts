import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import {
  book,
  bookFree,
  bookMore,
  clashesOfAll,
  heldBy,
  heldByAll,
  keepingOf,
  move,
  release,
  releaseAll,
  settleAll,
  type Asking,
  type Booking,
  type BookingState,
  type Source,
} from '#modules/platform/bookings/service.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { notAllowed } from './contract/refusals.ts';
import { approvalRule, roomState } from './contract/shapes.ts';
import { breaches, type Period, type RoomRules } from './engine/rules.ts';
import { titlesOf } from './server/occupants.ts';
import { leaveOffers, offerLater } from './server/offers.ts';
import { officeTable, roomTable } from './tables.ts';

export { openHours } from './server/open-hours.ts';
export { keepFor } from './server/offers.ts';
export { titlesOf, type Described, type Occupant, type Occupants } from './server/occupants.ts';
export { datesLeft, repeatFaults, repeatingOf, type Repeating } from './server/repeat.ts';
export { breaches, closedOn, daysText, type Period } from './engine/rules.ts';

/** The resource name of rooms in bookings. */
export const resource = 'room';

const alive = and(eq(roomTable.is_deleted, false), eq(officeTable.is_deleted, false));
export type Room = typeof roomTable.$inferSelect & { office: typeof officeTable.$inferSelect };

/** Rooms with their offices, in display order. */
export async function roomsOf(
  tx: Db,
  where: { ids?: readonly number[]; office_id?: number | undefined } = {},
): Promise<Room[]> {
  const rows = await tx
    .select({ room: roomTable, office: officeTable })
    .from(roomTable)
    .innerJoin(officeTable, eq(officeTable.id, roomTable.office_id))
    .where(
      and(
        alive,
        where.ids && inArray(roomTable.id, [...where.ids]),
        where.office_id === undefined ? undefined : eq(roomTable.office_id, where.office_id),
      ),
    )
    .orderBy(asc(officeTable.order_id), asc(officeTable.id), asc(roomTable.order_id), asc(roomTable.id))
    .limit(mostRooms);
  return rows.map(({ room, office }) => ({ ...room, office }));
}
/** More rooms than any organisation has; pickers and day views show no more. */
const mostRooms = 300;

export async function requireRoom(tx: Db, id: number): Promise<Room> {
  const [room] = await roomsOf(tx, { ids: [id] });
  if (!room) throw absent('会议室');
  return room;
}

/** True if bookings need approval. */
export const approves = ({ need_approve, office }: Room): boolean =>
  need_approve === approvalRule.asOffice ? office.need_approve : need_approve === approvalRule.needed;
/** The keepers of a room. */
export const managersOf = ({ managers, office }: Room): number[] => [...new Set([...managers, ...office.managers])];

/** The rules of some rooms for one person, by room. */
export async function rulesOf(
  tx: Db,
  { places }: Pick<Viewer, 'places'>,
  rooms: readonly Room[],
): Promise<Map<number, RoomRules>> {
  const names = await deptNamesById(tx, [...new Set(rooms.flatMap((room) => room.allow_depts))]);
  const calendar = await calendarOf(tx);
  return new Map(
    rooms.map(({ id, office, allow_depts: depts, ...room }) => [
      id,
      {
        name: room.name,
        status: room.status,
        office_status: office.status,
        open_hours: office.open_hours,
        calendar,
        min_ahead_min: office.min_ahead_min,
        max_ahead_days: office.max_ahead_days,
        step_min: office.step_min,
        min_minutes: room.min_minutes,
        max_minutes: room.max_minutes,
        kept_to:
          depts.length === 0
            ? null
            : {
                names: depts.flatMap((dept) => names.get(dept) ?? []).join('、'),
                mine: depts.some((dept) => places.includes(dept)),
              },
      },
    ]),
  );
}

export interface Taking extends Period {
  room_id: number;
  state?: BookingState;
}
interface Taken {
  user: Viewer;
  now: Date;
}

/** Rooms of the same office for as many people, the nearest in size first. */
export async function othersFor(tx: Db, room: Room): Promise<{ id: number; name: string }[]> {
  return tx
    .select({ id: roomTable.id, name: roomTable.name })
    .from(roomTable)
    .innerJoin(officeTable, eq(officeTable.id, roomTable.office_id))
    .where(
      and(
        alive,
        eq(roomTable.status, roomState.usable),
        eq(officeTable.status, onOff.on),
        sql`${roomTable.id} <> ${room.id} and ${roomTable.capacity} >= ${room.capacity} and ${roomTable.allow_depts} = '{}'`,
      ),
    )
    .orderBy(sql`${roomTable.office_id} <> ${room.office_id}`, asc(roomTable.capacity), asc(roomTable.id))
    .limit(10);
}

/** The wording of a refusal for a room, and its alternatives. */
export async function askingFor(
  tx: Db,
  room: Room,
  period: Period,
  { user, now }: Taken,
  except?: Source,
): Promise<Asking> {
  const day = period.start_time.slice(0, 10);
  const { from, to } = room.office.open_hours;
  return {
    name: room.name,
    step: room.office.step_min,
    now,
    others: await othersFor(tx, room),
    within: { from: `${day} ${from}:00`, to: `${day} ${to}:00` },
    /** Checks each room's hours, durations, lead time and padding. */
    fits: async (reading, found) => {
      const rooms = new Map(
        (await roomsOf(reading, { ids: [...new Set(found.map((one) => one.resource_id))] })).map((one) => [
          one.id,
          one,
        ]),
      );
      const rules = await rulesOf(reading, user, [...rooms.values()]);
      const allowed = found.filter(
        ({ resource_id: id, ...when }) => rooms.has(id) && breaches(rules.get(id)!, when, now).length === 0,
      );
      const clashing = await clashesOfAll(
        reading,
        allowed.map((one) => wanted(rooms.get(one.resource_id)!, { ...one, room_id: one.resource_id })),
        except,
      );
      return allowed.filter((_one, at) => clashing[at]!.length === 0);
    },
    titles: async (reading, rows) => {
      const known = await titlesOf(reading, user, rows);
      return rows.map((row) => known(row)?.title ?? undefined);
    },
  };
}

/** Refuses what the rules of a room do not allow, with the allowed values. */
async function requireAllowed(tx: Db, room: Room, period: Period, { user, now }: Taken): Promise<void> {
  const rules = (await rulesOf(tx, user, [room])).get(room.id)!;
  const said = breaches(rules, period, now);
  if (said.length > 0) throw notAllowed(said);
}

const wanted = (room: Room, { start_time, end_time, state }: Taking) => ({
  resource,
  resource_id: room.id,
  start_time,
  end_time,
  padding: room.buffer_minutes,
  ...(state && { state }),
});

/** The room was deleted meanwhile. */
const gone = refuseOn('booking_room_there', () => absent('会议室'));

/** Books a room for a record by its rules, or refuses with the clashes and alternatives. */
export async function takeRoom(tx: Db, source: Source, taking: Taking, by: Taken): Promise<Room> {
  const room = await requireRoom(tx, taking.room_id);
  await requireAllowed(tx, room, taking, by);
  await leaveOffers(tx, by.user.id, room.id, taking);
  await book(tx, source, wanted(room, taking), await askingFor(tx, room, taking, by)).catch(gone);
  changed(tx, 'meet', [everybody]);
  return room;
}

/**
 * Books one room for several records at different times, as far as possible; for the others returns the reason. That is stored with the record for
 * all who see it, so it names no more of the clashes than a stranger may know.
 */
export async function takeFree(
  tx: Db,
  sources: readonly (Required<Source> & Period)[],
  { room_id, state }: Pick<Taking, 'room_id' | 'state'>,
  by: Taken,
): Promise<{ taken: number[]; left: { record_id: number; reason: string }[] }> {
  if (sources.length === 0) return { taken: [], left: [] };
  const room = await requireRoom(tx, room_id);
  const rules = (await rulesOf(tx, by.user, [room])).get(room.id)!;
  const left: { record_id: number; reason: string }[] = [];
  const allowed = sources.filter((one) => {
    const said = breaches(rules, one, by.now);
    if (said.length > 0) left.push({ record_id: one.record_id, reason: said.join('；') });
    return said.length === 0;
  });
  const found = await bookFree(
    tx,
    allowed.map((one) => ({ ...one, ...wanted(room, { ...one, room_id, ...(state && { state }) }) })),
  ).catch(gone);
  const inWay = found.left.flatMap((one) => one.clashes);
  const known = await titlesOf(tx, null, inWay);
  for (const { wanted: one, clashes: met } of found.left) {
    const what = met[0] && known(met[0])?.title;
    left.push({ record_id: one.record_id, reason: `${room.name}已被占用${what ? `（${what}）` : ''}` });
  }
  if (found.booked.length > 0) changed(tx, 'meet', [everybody]);
  return { taken: found.booked.map((one) => one.record_id), left };
}

/** Why each of some records could not have a room at its time; null if it could. Bookings of `among` do not clash. */
export async function obstacles(
  tx: Db,
  room_id: number,
  periods: readonly Period[],
  among: { module: string; records: readonly number[] },
  by: Taken,
): Promise<(string | null)[]> {
  const room = await requireRoom(tx, room_id);
  const rules = (await rulesOf(tx, by.user, [room])).get(room.id)!;
  const held = new Map((await heldByAll(tx, among.module, among.records)).map((one) => [one.record_id, one]));
  const inWay = await clashesOfAll(
    tx,
    periods.map((one, at) => keepingOf(wanted(room, { ...one, room_id }), held.get(among.records[at]!))),
  );
  return periods.map((one, at) => {
    const said = breaches(rules, one, by.now);
    const other = inWay[at]!.find((row) => row.module !== among.module || !among.records.includes(row.record_id));
    return said.length > 0 ? said.join('；') : other ? `${room.name}已被占用` : null;
  });
}

/** Moves a record's booking to another time or room; if refused, it stays. False if it has none. */
export async function moveRoom(tx: Db, source: Source, taking: Taking, by: Taken): Promise<boolean> {
  const room = await requireRoom(tx, taking.room_id);
  await requireAllowed(tx, room, taking, by);
  await leaveOffers(tx, by.user.id, room.id, taking);
  const before = await heldBy(tx, source);
  const moved = await move(tx, source, wanted(room, taking), await askingFor(tx, room, taking, by, source)).catch(gone);
  if (moved) {
    changed(tx, 'meet', [everybody]);
    await offerLater(tx, before);
  }
  return moved;
}

/** Holds another time or room in addition to a record's booking, by the rules of the room. */
export async function holdRoom(tx: Db, source: Required<Source>, taking: Taking, by: Taken): Promise<void> {
  const room = await requireRoom(tx, taking.room_id);
  await requireAllowed(tx, room, taking, by);
  const more = wanted(room, { ...taking, state: 'held' });
  await bookMore(tx, source, more, await askingFor(tx, room, taking, by)).catch(gone);
}

/** The time held for a change becomes the record's only booking. */
export async function settleRoom(tx: Db, source: Source, taking: Taking): Promise<void> {
  const before = await heldBy(tx, { module: source.module, record_id: source.record_id });
  await settleAll(tx, source, wanted(await requireRoom(tx, taking.room_id), taking));
  changed(tx, 'meet', [everybody]);
  await offerLater(tx, before);
}

/** Frees a record's rooms; with `from`, only the remaining part. People on the waiting list are told. */
export const leaveRoom = async (tx: Db, source: Source, from?: string): Promise<Booking[]> =>
  freed(tx, await release(tx, source, from));

/** The same for several records of a module. */
export const leaveRooms = async (tx: Db, module: string, ids: readonly number[], from?: string): Promise<Booking[]> =>
  freed(tx, await releaseAll(tx, module, ids, from));

async function freed(tx: Db, rows: Booking[]): Promise<Booking[]> {
  if (rows.length > 0) changed(tx, 'meet', [everybody]);
  await offerLater(tx, rows);
  return rows;
}
