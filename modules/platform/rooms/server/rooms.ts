import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { onOff, titled } from '#kernel/contract/titles.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { freeSlots, hold, usesAfter } from '#modules/platform/bookings/service.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { attachAll, detachAll, fileCards } from '#modules/platform/files/service.ts';
import { deptNamesById, deptsThere, peopleById } from '#modules/platform/people/service.ts';
import {
  minutesCross,
  releaseWithoutCheckin,
  roomInUse,
  roomTaken,
  unknownDepts,
  unknownOffice,
} from '../contract/refusals.ts';
import type { rooms } from '../contract/rooms.ts';
import { RoomInput, roomState } from '../contract/shapes.ts';
import { hoursText, lengthText } from '../engine/rules.ts';
import { approves, closedOn, requireRoom, resource, roomsOf, rulesOf, type Room } from '../service.ts';
import { isOpenDoor, reachesRoom, requireReached, requireRoomReached } from './reach.ts';
import { doorTable, officeTable, roomTable } from '../tables.ts';
import { requireWorking } from './offices.ts';

type Stored = typeof roomTable.$inferSelect;
type Asked = Context & { user: Viewer };
const type = '会议室';
const page = 'meet/room';
const module = 'rooms';
const minute = 60_000;
const taken = (name: string) => refuseOn('meet_room_name', () => roomTaken(name));
const told = (row: Partial<Stored>) => titled(RoomInput, row);

/** Refuses contradictory values, with the table's defaults for missing ones; and newly named people and departments that do not exist. */
async function check(
  tx: Db,
  row: Partial<RoomInput>,
  { managers = [], allow_depts = [] }: Pick<Partial<RoomInput>, 'managers' | 'allow_depts'>,
): Promise<void> {
  const least = row.min_minutes ?? (roomTable.min_minutes.default as number);
  const most = row.max_minutes ?? (roomTable.max_minutes.default as number);
  const { office_id: office } = row;
  if (least > most) throw minutesCross(least, most);
  if (row.auto_release_minutes && !row.checkin_required) throw releaseWithoutCheckin();
  await requireWorking(tx, managers);
  const there = await deptsThere(tx, allow_depts);
  const gone = allow_depts.filter((id) => !there.includes(id));
  if (gone.length > 0) throw unknownDepts(gone);
  if (office === undefined) return;
  // Deleting the office waits until the room is in it, and the other way round.
  const [known] = await tx
    .select({ id: officeTable.id })
    .from(officeTable)
    .where(and(eq(officeTable.id, office), eq(officeTable.is_deleted, false)))
    .for('key share');
  if (!known) throw unknownOffice();
}

/** Refuses an office that somebody does not reach; a missing one is refused by `check`. */
async function requireOffice(tx: Db, user: Viewer, code: 'Create' | 'Update', id: number): Promise<void> {
  const [office] = await tx.select().from(officeTable).where(eq(officeTable.id, id));
  if (office) requireReached(user, code, 'meet/room', office);
}

async function roomForUpdate(tx: Db, id: number): Promise<Stored> {
  const [row] = await tx
    .select()
    .from(roomTable)
    .where(and(eq(roomTable.id, id), eq(roomTable.is_deleted, false)))
    .for('update');
  if (!row) throw absent(type);
  return row;
}

const actionsFor = (user: Viewer, room: Room) => [
  ...(reachesRoom(user, 'Update', room) ? ['update'] : []),
  ...(reachesRoom(user, 'Delete', room) ? ['delete'] : []),
];

async function shown(tx: Db, user: Viewer, rows: readonly Room[]) {
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.managers),
  );
  const names = await deptNamesById(
    tx,
    rows.flatMap((row) => row.allow_depts),
  );
  const photos = await fileCards(
    tx,
    rows.flatMap((row) => row.photos),
    user,
  );
  const doors = holds(user, 'Update', page)
    ? await tx
        .select({ room_id: doorTable.room_id, last_seen: doorTable.last_seen, ended: sql<boolean>`not ${isOpenDoor}` })
        .from(doorTable)
        .where(
          inArray(
            doorTable.room_id,
            rows.map((row) => row.id),
          ),
        )
    : [];
  return rows.map((row) => ({
    ...row,
    door: doors.find((door) => door.room_id === row.id) ?? null,
    equipment: row.equipment as NonNullable<RoomInput['equipment']>,
    office_name: row.office.name,
    managers_info: row.managers.flatMap((id) => people.get(id) ?? []),
    photos_info: row.photos.flatMap((id) => photos.get(id) ?? []),
    allow_names: row.allow_depts.flatMap((id) => names.get(id) ?? []),
    actions: actionsFor(user, row),
  }));
}

/** The rules of a room, in words. */
function rulesText({ office, ...room }: Room): string[] {
  return [
    `开放时间 ${hoursText(office.open_hours)}`,
    `每次 ${lengthText(room.min_minutes)}至 ${lengthText(room.max_minutes)}`,
    ...(office.min_ahead_min > 0 ? [`至少提前 ${lengthText(office.min_ahead_min)}`] : []),
    `最多提前 ${office.max_ahead_days} 天`,
    ...(office.max_per_user_week === null ? [] : [`每人每周最多 ${office.max_per_user_week} 次`]),
    ...(room.buffer_minutes > 0 ? [`会后留 ${room.buffer_minutes} 分钟整理`] : []),
    ...(room.auto_release_minutes === null ? [] : [`开始后 ${room.auto_release_minutes} 分钟无人到场即释放`]),
  ];
}

/** The next time within a week in which it is free for its shortest use. */
async function nextFree(tx: Db, room: Room, now: Date): Promise<{ start_time: string; end_time: string } | null> {
  const { from, to } = room.office.open_hours;
  const calendar = await calendarOf(tx);
  for (let ahead = 0; ahead < 7; ahead += 1) {
    const day = momentText(new Date(now.getTime() + ahead * 1440 * minute)).slice(0, 10);
    if (closedOn(room.office.open_hours, day, calendar) !== null) continue;
    const opens = `${day} ${from}:00`;
    const begins = ahead === 0 && momentText(now) > opens ? momentText(now) : opens;
    if (begins >= `${day} ${to}:00`) continue;
    const [slot] = await freeSlots(tx, {
      resource,
      ids: [room.id],
      from: begins,
      to: `${day} ${to}:00`,
      minutes: room.min_minutes,
      padding: room.buffer_minutes,
    });
    if (slot) return { start_time: slot.start_time, end_time: slot.end_time };
  }
  return null;
}

export const roomHandlers = {
  async list({ query }: { query: QueryOf<typeof rooms.list> }, { tx, user }: Asked) {
    const select = tx
      .select({ id: roomTable.id })
      .from(roomTable)
      .where(
        and(
          eq(roomTable.is_deleted, false),
          contains(
            sql`${roomTable.name} || ' ' || ${roomTable.building} || ' ' || ${roomTable.room_no}`,
            query.search_value,
          ),
          query.office_id === undefined ? undefined : eq(roomTable.office_id, query.office_id),
          query.status === undefined ? undefined : eq(roomTable.status, query.status),
          query.capacity === undefined ? undefined : gte(roomTable.capacity, query.capacity),
          query.equipment === undefined ? undefined : sql`${query.equipment} = any(${roomTable.equipment})`,
        ),
      )
      .$dynamic();
    const found = await pageOf(tx, query, select, {
      by: { order_id: roomTable.order_id, name: roomTable.name, capacity: roomTable.capacity },
      first: 'order_id',
      tie: roomTable.id,
    });
    const ids = found.value.map((row) => row.id);
    const known = await shown(tx, user, ids.length > 0 ? await roomsOf(tx, { ids }) : []);
    return { ...found, value: ids.flatMap((id) => known.find((row) => row.id === id) ?? []) };
  },

  async get({ params }: { params: { id: number } }, { tx, user, now }: Asked) {
    const room = await requireRoom(tx, params.id);
    const [row] = await shown(tx, user, [room]);
    const rules = (await rulesOf(tx, user, [room])).get(room.id)!;
    return {
      value: {
        ...row!,
        office: room.office,
        approves: approves(room),
        may_use: room.status === roomState.usable && room.office.status === onOff.on && (rules.kept_to?.mine ?? true),
        rules: [...rulesText(room), ...(rules.kept_to ? [`仅供${rules.kept_to.names}使用`] : [])],
        next_free: await nextFree(tx, room, now),
      },
    };
  },

  async create({ body }: { body: BodyOf<typeof rooms.create> }, { tx, user, audit }: Asked) {
    await requireOffice(tx, user, 'Create', body.office_id);
    await check(tx, body, body);
    const [row] = await tx.insert(roomTable).values(body).returning().catch(taken(body.name));
    await attachAll(tx, { fileIds: body.photos ?? [], module, recordId: row!.id, user });
    audit({ type, id: row!.id, title: body.name, after: told(row!) });
    return { id: row!.id };
  },

  async update(
    { params, body: { version, ...body } }: { params: { id: number }; body: BodyOf<typeof rooms.update> },
    { tx, user, audit }: Asked,
  ) {
    const before = await roomForUpdate(tx, params.id);
    requireRoomReached(user, 'Update', await requireRoom(tx, params.id));
    if (body.office_id !== undefined && body.office_id !== before.office_id)
      await requireOffice(tx, user, 'Update', body.office_id);
    const current = async () => (await shown(tx, user, [await requireRoom(tx, params.id)]))[0];
    if (version !== undefined && version !== before.version) checkVersion(type, before, version, await current());
    await check(
      tx,
      { ...before, equipment: [], ...body },
      { managers: body.managers, allow_depts: body.allow_depts?.filter((id) => !before.allow_depts.includes(id)) },
    );
    const [after] = await tx
      .update(roomTable)
      .set({ ...body, ...touched(roomTable) })
      .where(eq(roomTable.id, params.id))
      .returning()
      .catch(taken(body.name ?? before.name));
    if (body.photos) {
      const { photos } = body;
      await detachAll(tx, { fileIds: before.photos.filter((id) => !photos.includes(id)), module, recordId: params.id });
      await attachAll(tx, {
        fileIds: photos.filter((id) => !before.photos.includes(id)),
        module,
        recordId: params.id,
        user,
      });
    }
    audit({ type, id: params.id, title: after!.name, before: told(before), after: told(after!) });
    return { id: params.id };
  },

  async remove({ params }: { params: { id: number } }, { tx, user, now, audit }: Asked) {
    const row = await roomForUpdate(tx, params.id);
    requireRoomReached(user, 'Delete', await requireRoom(tx, params.id));
    const place = { resource, resource_id: row.id };
    await hold(tx, [place]);
    const uses = await usesAfter(tx, place, momentText(now));
    if (uses > 0) throw roomInUse(row.name, uses);
    await tx.update(roomTable).set({ is_deleted: true }).where(eq(roomTable.id, row.id));
    audit({ type, id: row.id, title: row.name, before: told(row) });
    return { id: row.id };
  },

  async simple({ query }: { query: QueryOf<typeof rooms.simple> }, { tx }: Asked) {
    const known = await roomsOf(tx, { office_id: query.office_id });
    return {
      value: known
        .filter((room) => room.status === roomState.usable && room.office.status === onOff.on)
        .map(({ id, name, office, capacity, equipment }) => ({
          value: id,
          label: name,
          office_name: office.name,
          capacity,
          equipment,
        })),
    };
  },
};
