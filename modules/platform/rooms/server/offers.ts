import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { enqueue, enqueueAll, type Task } from '#kernel/server/jobs/jobs.ts';
import { bookFree, hold, release, type Booking } from '#modules/platform/bookings/service.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { roomState } from '../contract/shapes.ts';
import { offerMinutes } from '../contract/waiting.ts';
import { officeTable, roomTable, waitingTable } from '../tables.ts';

const minute = 60_000;
/** Hours for which a room that others vacated for somebody is reserved. */
const displacedHours = 24;
const module = 'waiting';
const resource = 'room';
const offering = 'offer rooms';
const ending = 'end an offer of a room';
/** The freed time of a room. */
interface Freed {
  room_id: number;
  from: string;
  to: string;
}
type Waits = typeof waitingTable.$inferSelect;

/** People who wait for some of it and have no offer yet, in order of their requests. */
const waitingFor = ({ room_id: room, from, to }: Freed, now: string) =>
  and(
    isNull(waitingTable.offered_until),
    eq(waitingTable.missed, false),
    sql`${waitingTable.start_time} > ${now}::timestamptz`,
    sql`tstzrange(${waitingTable.start_time}, ${waitingTable.end_time}) && tstzrange(${from}::timestamptz, ${to}::timestamptz)`,
    or(
      eq(waitingTable.room_id, room),
      sql`${waitingTable.office_id} = (select office_id from meet_room where id = ${room} and capacity >= ${waitingTable.capacity})`,
    ),
  );

/** People waiting for a freed time are told by a job, which locks the room itself; the caller does not hold that lock. */
export async function offerLater(tx: Db, freed: readonly Booking[]): Promise<void> {
  const rooms = freed
    .filter((one) => one.resource === resource)
    .map(({ resource_id: room_id, start_time: from, free_at: to }) => ({ room_id, from, to }));
  if (rooms.length === 0) return;
  const wanted = rooms.map(
    (one) => sql`exists (select from ${waitingTable} where ${waitingFor(one, one.from.slice(0, 10))})`,
  );
  const { rows } = await tx.execute<{ wanted: boolean[] }>(sql`select array[${sql.join(wanted, sql`, `)}] as wanted`);
  await enqueueAll(
    tx,
    offering,
    rooms.filter((_one, at) => rows[0]!.wanted[at]).map((payload) => ({ payload })),
  );
}

/** A time reserved for somebody does not block their own booking. */
export async function leaveOffers(
  tx: Db,
  user: number,
  room: number,
  { start_time: from, end_time: to }: { start_time: string; end_time: string },
): Promise<void> {
  const mine = and(
    eq(waitingTable.user_id, user),
    eq(waitingTable.offered_room, room),
    sql`tstzrange(${waitingTable.start_time}, ${waitingTable.end_time}) && tstzrange(${from}::timestamptz, ${to}::timestamptz)`,
  );
  const kept = await tx.select({ id: waitingTable.id }).from(waitingTable).where(mine);
  if (kept.length === 0) return;
  await hold(tx, [{ resource, resource_id: room }]);
  for (const { id } of kept) await release(tx, { module, record_id: id });
  await tx.delete(waitingTable).where(
    inArray(
      waitingTable.id,
      kept.map(({ id }) => id),
    ),
  );
}

/** Reserves a freed room for people on the waiting list, each for a while, and tells them. */
export async function offer(tx: Db, freed: Freed, now: Date): Promise<number> {
  const rows = await tx
    .select({ waits: waitingTable, room: { name: roomTable.name, buffer: roomTable.buffer_minutes } })
    .from(waitingTable)
    .innerJoin(roomTable, eq(roomTable.id, freed.room_id))
    .innerJoin(officeTable, eq(officeTable.id, roomTable.office_id))
    .where(
      and(
        waitingFor(freed, momentText(now)),
        eq(roomTable.status, roomState.usable),
        eq(officeTable.status, onOff.on),
        eq(roomTable.is_deleted, false),
      ),
    )
    .orderBy(asc(waitingTable.id))
    .limit(50)
    .for('update', { of: waitingTable, skipLocked: true });
  let offered = 0;
  for (const { waits, room } of rows) {
    const { start_time, end_time } = waits;
    const wanted = { resource, resource_id: freed.room_id, start_time, end_time, padding: room.buffer };
    const { booked } = await bookFree(tx, [{ ...wanted, module, record_id: waits.id, slot: '', state: 'held' }]);
    if (booked.length === 0) continue;
    offered += 1;
    const until = new Date(Math.min(now.getTime() + offerMinutes * minute, momentOf(start_time).getTime()));
    const said = { title: `您候补的${room.name}有空位`, otherwise: '逾期让给下一位' };
    await keep(tx, waits, { room_id: freed.room_id, name: room.name, until, ...said });
  }
  return offered;
}

/** Reserves a vacated room for somebody until they have booked it: nobody on the waiting list precedes them. */
export async function keepFor(
  tx: Db,
  { user_id, room_id, ...period }: { user_id: number; room_id: number; start_time: string; end_time: string },
  now: Date,
): Promise<void> {
  const [room] = await tx
    .select({ name: roomTable.name, buffer: roomTable.buffer_minutes })
    .from(roomTable)
    .where(eq(roomTable.id, room_id));
  if (!room) return;
  const [made] = await tx
    .insert(waitingTable)
    .values({ user_id, room_id, ...period })
    .onConflictDoNothing()
    .returning();
  const waits = made ?? (await queuedAs(tx, { user_id, room_id, ...period }));
  // An earlier reservation for them stays.
  if (!waits || waits.offered_room !== null) return;
  const wanted = { resource, resource_id: room_id, ...period, padding: room.buffer };
  const { booked } = await bookFree(tx, [{ ...wanted, module, record_id: waits.id, slot: '', state: 'held' }]);
  if (booked.length === 0) {
    if (made) await tx.delete(waitingTable).where(eq(waitingTable.id, made.id));
    return;
  }
  const until = new Date(Math.min(now.getTime() + displacedHours * 60 * minute, momentOf(period.start_time).getTime()));
  const said = { title: `已为您的会议腾出${room.name}`, otherwise: '逾期不再保留' };
  await keep(tx, waits, { room_id, name: room.name, until, ...said });
}

/** The row by which somebody already waits for exactly this. */
async function queuedAs(
  tx: Db,
  {
    user_id,
    room_id,
    start_time,
    end_time,
  }: { user_id: number; room_id: number; start_time: string; end_time: string },
) {
  const t = waitingTable;
  const [row] = await tx
    .select()
    .from(t)
    .where(
      and(
        eq(t.user_id, user_id),
        eq(t.room_id, room_id),
        sql`${t.start_time} = ${start_time}::timestamptz and ${t.end_time} = ${end_time}::timestamptz`,
        eq(t.missed, false),
      ),
    )
    .for('update');
  return row;
}

export const roomNews = newsKinds({
  module: 'rooms',
  type: newsType.meeting,
  group: '会议',
  page: () => '/meet/day',
  kinds: { MEET_WAITING: { name: '候补的会议室有空位', head: '会议室有空位' } },
});

interface Kept {
  room_id: number;
  name: string;
  until: Date;
  title: string;
  /** The consequence of not taking it. */
  otherwise: string;
}
async function keep(tx: Db, waits: Waits, { room_id, name, until, title, otherwise }: Kept) {
  const at = momentText(until);
  await tx.update(waitingTable).set({ offered_room: room_id, offered_until: at }).where(eq(waitingTable.id, waits.id));
  await enqueue(tx, ending, { id: waits.id }, { at: until });
  const said = {
    title,
    content: `${name} ${waits.start_time.slice(0, 16)}–${waits.end_time.slice(11, 16)} 已为您保留到 ${at.slice(0, 16)}，请在此之前提交会议申请，${otherwise}。`,
    page: `/meet/day?date=${waits.start_time.slice(0, 10)}`,
    by: null,
  };
  await announce(tx, roomNews.MEET_WAITING, { id: waits.id }, said, [waits.user_id]);
}

/** An offer that was not taken goes to the next person. */
export async function endOffer(tx: Db, id: number, now: Date): Promise<void> {
  const [row] = await tx
    .update(waitingTable)
    .set({ missed: true, offered_room: null })
    .where(
      and(
        eq(waitingTable.id, id),
        eq(waitingTable.missed, false),
        sql`${waitingTable.offered_until} <= ${momentText(now)}::timestamptz`,
      ),
    )
    .returning({ id: waitingTable.id });
  if (row) await offerLater(tx, await release(tx, { module, record_id: id }));
}

export const offerTasks = ({ databases }: { databases: Databases }): Task[] => [
  {
    name: offering,
    title: '把空出的会议室留给候补的人',
    run: async (freed, { now }) => {
      await databases.write((tx) => offer(tx, freed as Freed, now));
    },
  },
  {
    name: ending,
    title: '收回逾期的候补保留',
    run: (payload, { now }) => databases.write((tx) => endOffer(tx, (payload as { id: number }).id, now)),
  },
];
