import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { daysLater, momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import {
  alternativesTo,
  book,
  clashes,
  clashesOfAll,
  freeAmong,
  heldByAll,
  keepingOf,
} from '#modules/platform/bookings/service.ts';
import { occupied } from '#modules/platform/bookings/contract.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { DateLook, roomTimes } from '../contract/looks.ts';
import { closedInPast, closedTooLong, notToDisplace, roomUsed } from '../contract/refusals.ts';
import { mostDates } from '../contract/repeat.ts';
import { dayHandlers } from './days.ts';
import { datesLeft, repeatFaults, repeatingOf } from './repeat.ts';
import {
  approves,
  askingFor,
  breaches,
  leaveRoom,
  othersFor,
  requireRoom,
  resource,
  roomsOf,
  rulesOf,
  titlesOf,
  type Period,
  type Room,
} from '../service.ts';
import { requireRoomReached } from './reach.ts';
import { blackoutTable, roomTable } from '../tables.ts';

type Asked = Context & { user: Viewer };
const type = '会议室停用时段';
const blackouts = 'blackouts';

export const timeHandlers = {
  ...dayHandlers,

  async isApply({ query }: { query: QueryOf<typeof roomTimes.isApply> }, { tx, user, now }: Asked) {
    const room = await requireRoom(tx, query.room_id);
    const period = { start_time: query.start_time, end_time: query.end_time };
    const [rules, held] = await Promise.all([rulesOf(tx, user, [room]), heldOf(tx, query.exclude_id)]);
    const reasons = breaches(rules.get(room.id)!, period, now);
    if (period.end_time <= period.start_time)
      return { can_apply: false, approves: approves(room), reasons, conflicts: [], alternatives: [] };
    const except = query.exclude_id === undefined ? undefined : { module: 'meetings', record_id: query.exclude_id };
    const wanted = keepingOf({ resource, resource_id: room.id, padding: room.buffer_minutes, ...period }, held);
    const rows = await clashes(tx, wanted, except);
    const ways = async () => {
      const asking = await askingFor(tx, room, period, { user, now });
      return alternativesTo(tx, wanted, { ...asking, ...(except && { except }) });
    };
    const [known, alternatives] = await Promise.all([titlesOf(tx, user, rows), rows.length > 0 ? ways() : []]);
    return {
      can_apply: reasons.length === 0 && rows.length === 0,
      approves: approves(room),
      reasons,
      conflicts: rows.map((row) => ({
        resource_id: row.resource_id,
        start_time: row.start_time,
        end_time: row.end_time,
        title: known(row)?.title ?? occupied,
      })),
      alternatives,
    };
  },

  async areApply({ body }: { body: BodyOf<typeof roomTimes.areApply> }, { tx, user, now }: Asked) {
    const rooms = await roomsOf(tx, { ids: body.room_ids });
    const first = { start_time: body.start_time, end_time: body.end_time };
    const repeating = body.repeat && repeatingOf(body.repeat);
    const dates = repeating ? await datesLeft(tx, repeating, first) : [first];
    const faults = repeating ? repeatFaults(dates, first, repeating) : [];
    if (rooms.length < new Set(body.room_ids).size) throw absent('会议室');
    return { faults, value: await looksOf(tx, rooms, dates.slice(0, mostDates), { user, now }, body.exclude_id) };
  },

  async blackouts({ query }: { query: QueryOf<typeof roomTimes.blackouts> }, { tx, now }: Asked) {
    const rows = await tx
      .select({
        id: blackoutTable.id,
        room_id: blackoutTable.room_id,
        room_name: roomTable.name,
        start_time: blackoutTable.start_time,
        end_time: blackoutTable.end_time,
        reason: blackoutTable.reason,
        creator_id: blackoutTable.creator_id,
      })
      .from(blackoutTable)
      .innerJoin(roomTable, eq(roomTable.id, blackoutTable.room_id))
      .where(
        and(
          gt(blackoutTable.end_time, momentText(now)),
          query.room_id === undefined ? undefined : eq(blackoutTable.room_id, query.room_id),
        ),
      )
      .orderBy(asc(blackoutTable.start_time), asc(blackoutTable.id))
      .limit(200);
    const people = await peopleById(
      tx,
      rows.map((row) => row.creator_id),
    );
    return {
      value: rows.map(({ creator_id, ...row }) => ({ ...row, creator_name: people.get(creator_id)?.alias ?? '' })),
    };
  },

  async close({ body }: { body: BodyOf<typeof roomTimes.close> }, context: Asked) {
    const { tx, user, now, audit } = context;
    const room = await requireRoom(tx, body.room_id);
    requireRoomReached(user, 'Update', room);
    if (body.end_time <= momentText(now)) throw closedInPast(body.end_time.slice(0, 16));
    if (momentOf(body.end_time) > daysLater(momentOf(body.start_time), 365))
      throw closedTooLong(body.end_time.slice(0, 16));
    const period = { start_time: body.start_time, end_time: body.end_time };
    const { force, ...closing } = body;
    await makeWay(room, period, body.reason, force, context);
    const [row] = await tx
      .insert(blackoutTable)
      .values({ ...closing, creator_id: user.id })
      .returning({ id: blackoutTable.id });
    await book(
      tx,
      { module: blackouts, record_id: row!.id },
      { resource, resource_id: room.id, ...period },
      { ...(await askingFor(tx, room, period, { user, now })), others: [] },
    );
    audit({
      type,
      id: row!.id,
      title: room.name,
      after: { 开始时间: body.start_time, 结束时间: body.end_time, 原因: body.reason },
    });
    return { id: row!.id };
  },

  async open({ params }: { params: { id: number } }, { tx, user, audit }: Asked) {
    const [row] = await tx.delete(blackoutTable).where(eq(blackoutTable.id, params.id)).returning();
    if (!row) throw absent(type);
    requireRoomReached(user, 'Update', await requireRoom(tx, row.room_id));
    await leaveRoom(tx, { module: blackouts, record_id: row.id });
    audit({
      type,
      id: row.id,
      title: (await requireRoom(tx, row.room_id)).name,
      before: { 开始时间: row.start_time, 结束时间: row.end_time, 原因: row.reason },
    });
    return { id: row.id };
  },
};

/** Moves or cancels the occupations of a room that is to be closed; refuses without permission to do so. */
async function makeWay(room: Room, period: Period, reason: string, force: boolean, context: Asked): Promise<void> {
  const { tx, user } = context;
  const rows = await clashes(tx, { resource, resource_id: room.id, ...period });
  if (rows.length === 0) return;
  const known = await titlesOf(tx, user, rows);
  if (!force)
    throw roomUsed(
      room.name,
      rows.map((row) => ({ ...row, title: known(row)?.title ?? occupied })),
    );
  const { occupants } = tx.services.product;
  for (const module of new Set(rows.map((row) => row.module))) {
    const mine = rows.filter((row) => row.module === module);
    const displace = Object.hasOwn(occupants, module) ? occupants[module]!.displace : undefined;
    if (!displace) throw notToDisplace(known(mine[0]!)?.title ?? occupied, mine[0]!.start_time);
    await displace(mine, `${room.name}停用：${reason}`, context);
  }
}

/** The present booking of a meeting that looks for another room. */
const heldOf = async (tx: Db, id: number | undefined) =>
  id === undefined ? undefined : (await heldByAll(tx, 'meetings', [id]))[0];

/** The availability of some rooms on some dates, by date: four statements for any number. */
async function looksOf(
  tx: Db,
  rooms: readonly Room[],
  dates: readonly Period[],
  { user, now }: Pick<Asked, 'user' | 'now'>,
  exclude: number | undefined,
): Promise<DateLook[]> {
  const rules = await rulesOf(tx, user, rooms);
  const held = await heldOf(tx, exclude);
  const asked = dates.flatMap((date) =>
    rooms.map((room) =>
      keepingOf({ ...date, room, resource, resource_id: room.id, padding: room.buffer_minutes }, held),
    ),
  );
  const except = exclude === undefined ? undefined : { module: 'meetings', record_id: exclude };
  const inWay = await clashesOfAll(tx, asked, except);
  const known = await titlesOf(tx, user, inWay.flat());
  const others = await othersFor(tx, rooms[0]!);
  const free = await freeAmong(
    tx,
    resource,
    others.map(({ id }) => id),
    dates,
  );
  return asked.map(({ room, start_time, end_time }, at) => {
    const met = inWay[at]!;
    const reasons = breaches(rules.get(room.id)!, { start_time, end_time }, now);
    const closed = met.some((row) => row.module === blackouts);
    const state = closed ? 'blackout' : met.length > 0 ? 'clash' : reasons.length > 0 ? 'rules' : 'free';
    const open = free[Math.floor(at / rooms.length)]!;
    return {
      room_id: room.id,
      start_time,
      end_time,
      state,
      reasons,
      conflicts: met.map((row) => ({
        resource_id: room.id,
        start_time: row.start_time,
        end_time: row.end_time,
        title: known(row)?.title ?? occupied,
      })),
      alternatives:
        state === 'free' || state === 'rules'
          ? []
          : others
              .filter(({ id }) => open.includes(id) && id !== room.id)
              .slice(0, 3)
              .map(({ id, name }) => ({ resource_id: id, name, start_time, end_time })),
    };
  });
}

/** The reasons why rooms are closed, for everybody who views a day. */
export async function closures(tx: Db, ids: readonly number[]): Promise<Map<number, { title: string; mine: boolean }>> {
  const rows = await tx
    .select({ id: blackoutTable.id, reason: blackoutTable.reason })
    .from(blackoutTable)
    .where(sql`${blackoutTable.id} = any(${sql.param([...ids])}::int[])`);
  return new Map(rows.map(({ id, reason }) => [id, { title: `停用：${reason}`, mine: false }]));
}
