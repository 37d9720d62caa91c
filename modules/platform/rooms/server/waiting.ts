import { and, asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { refuseOn } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { lockOf } from '#kernel/server/jobs/periodic.ts';
import { freeAmong } from '#modules/platform/bookings/service.ts';
import { freeAlready, notAllowed, tooLate, tooManyWaits, unknownOffice, waitsAlready } from '../contract/refusals.ts';
import { roomState } from '../contract/shapes.ts';
import { mostWaits, type waiting } from '../contract/waiting.ts';
import { breaches, leaveRoom, requireRoom, resource, roomsOf, rulesOf } from '../service.ts';
import { officeTable, roomTable, waitingTable } from '../tables.ts';

type Asked = Context & { user: Viewer };
const type = '会议室候补';

export const waitingHandlers = {
  async list(_input: object, { tx, user, now }: Asked) {
    const offered = alias(roomTable, 'offered');
    const { id, user_id, room_id, office_id, capacity, start_time, end_time, offered_room, offered_until, missed } =
      waitingTable;
    const value = await tx
      .select({
        id,
        room_id,
        office_id,
        capacity,
        start_time,
        end_time,
        offered_room,
        offered_until,
        missed,
        name: sql<string>`coalesce(${roomTable.name}, ${officeTable.name})`,
        offered_name: sql<string>`coalesce(${offered.name}, '')`,
        before: sql<number>`(select count(*)::int from meet_waiting other where other.id < ${id} and not other.missed
          and (other.room_id = ${room_id} or other.office_id = ${office_id})
          and tstzrange(other.start_time, other.end_time) && tstzrange(${start_time}, ${end_time}))`,
      })
      .from(waitingTable)
      .leftJoin(roomTable, eq(roomTable.id, room_id))
      .leftJoin(officeTable, eq(officeTable.id, office_id))
      .leftJoin(offered, eq(offered.id, offered_room))
      .where(and(eq(user_id, user.id), sql`${start_time} > ${momentText(now)}::timestamptz`))
      .orderBy(asc(start_time), asc(id))
      .limit(100);
    return { value };
  },

  async wait({ body }: { body: BodyOf<typeof waiting.wait> }, { tx, user, now, audit }: Asked) {
    const { start_time, end_time, room_id, office_id, capacity } = body;
    if (start_time <= momentText(now)) throw tooLate(start_time);
    const rooms = room_id === undefined ? await roomsOf(tx, { office_id }) : [await requireRoom(tx, room_id)];
    const known = rooms.filter(
      (room) => room.status === roomState.usable && room.capacity >= (room_id === undefined ? capacity : 1),
    );
    const rules = await rulesOf(tx, user, known);
    const allowed = known.filter((room) => breaches(rules.get(room.id)!, body, now).length === 0);
    if (allowed.length === 0) {
      const [first] = rooms;
      if (!first) throw unknownOffice();
      throw notAllowed(breaches((await rulesOf(tx, user, [first])).get(first.id)!, body, now));
    }
    const [free] = await freeAmong(
      tx,
      resource,
      allowed.map((room) => room.id),
      [body],
    );
    const open = allowed.find((room) => free!.includes(room.id));
    if (open) throw freeAlready(open.name, start_time);
    // Serialised per person: two concurrent requests would count the same.
    await tx.execute(sql`select pg_advisory_xact_lock(${lockOf(`rooms waited for by ${user.id}`)})`);
    const waits = await tx.$count(
      waitingTable,
      and(
        eq(waitingTable.user_id, user.id),
        eq(waitingTable.missed, false),
        sql`${waitingTable.start_time} > ${momentText(now)}::timestamptz`,
      ),
    );
    if (waits >= mostWaits) throw tooManyWaits(mostWaits);
    const [row] = await tx
      .insert(waitingTable)
      .values({
        user_id: user.id,
        room_id: room_id ?? null,
        office_id: office_id ?? null,
        capacity,
        start_time,
        end_time,
      })
      .returning({ id: waitingTable.id })
      .catch(refuseOn('meet_waiting_once', waitsAlready));
    const title = room_id === undefined ? allowed[0]!.office.name : allowed[0]!.name;
    audit({ type, id: row!.id, title, after: { 开始时间: start_time, 结束时间: end_time } });
    return { id: row!.id };
  },

  async leave({ params }: { params: { id: number } }, { tx, user, audit }: Asked) {
    const [row] = await tx
      .delete(waitingTable)
      .where(and(eq(waitingTable.id, params.id), eq(waitingTable.user_id, user.id)))
      .returning();
    if (!row) throw absent(type);
    await leaveRoom(tx, { module: 'waiting', record_id: row.id });
    audit({ type, id: row.id, before: { 开始时间: row.start_time, 结束时间: row.end_time } });
    return { id: row.id };
  },
};
