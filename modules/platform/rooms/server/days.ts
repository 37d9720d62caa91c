import type { QueryOf } from '#kernel/contract/call.ts';
import { dayAfter, dayOf, mondayOf } from '#kernel/contract/moment.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { occupied } from '#modules/platform/bookings/contract.ts';
import { occupationsOf, type Booking } from '#modules/platform/bookings/service.ts';
import { calendarOf, type HouseCalendar } from '#modules/platform/calendars/service.ts';
import type { Block, DayRoom, roomTimes } from '../contract/looks.ts';
import { approves, closedOn, requireRoom, resource, roomsOf, titlesOf, type Room } from '../service.ts';

type Asked = Context & { user: Viewer };
type Known = Awaited<ReturnType<typeof titlesOf>>;

const blockOf = ({ module, record_id, start_time, end_time, free_at, state }: Booking, known: Known): Block => {
  const what = known({ module, record_id });
  return {
    module,
    record_id,
    start_time,
    end_time,
    free_at,
    held: state === 'held',
    title: what?.title ?? occupied,
    mine: what?.mine ?? false,
    path: what?.path ?? null,
    // A time held for a record's change is moved with its booking.
    movable: state === 'held' ? null : (what?.movable ?? null),
  };
};

/** A room on one day: its rules then, and its occupations. */
const shownOn = (room: Room, date: string, calendar: HouseCalendar, blocks: readonly Block[]): DayRoom => ({
  id: room.id,
  name: room.name,
  office_id: room.office_id,
  office_name: room.office.name,
  building: room.building,
  floor: room.floor,
  capacity: room.capacity,
  equipment: room.equipment,
  status: room.status,
  open_hours: room.office.open_hours,
  closed: closedOn(room.office.open_hours, date, calendar),
  step_min: room.office.step_min,
  approves: approves(room),
  buffer_minutes: room.buffer_minutes,
  blocks: [...blocks],
});

export const dayHandlers = {
  async day({ query }: { query: QueryOf<typeof roomTimes.day> }, { tx, user, now }: Asked) {
    const date = query.date ?? dayOf(now);
    const rooms = (await roomsOf(tx, { office_id: query.office_id })).filter(
      ({ office }) => office.status === onOff.on,
    );
    const within = { from: `${date} 00:00:00`, to: `${dayAfter(date, 1)} 00:00:00` };
    const ids = rooms.map((room) => room.id);
    const taken = ids.length > 0 ? await occupationsOf(tx, resource, ids, within) : [];
    const known = await titlesOf(tx, user, taken);
    const blocks = Map.groupBy(taken, (one) => one.resource_id);
    const calendar = await calendarOf(tx);
    return {
      date,
      rooms: rooms.map((room) =>
        shownOn(
          room,
          date,
          calendar,
          (blocks.get(room.id) ?? []).map((one) => blockOf(one, known)),
        ),
      ),
    };
  },

  /** One room on the days of a week from Monday; an occupation across midnight appears on each of its days. */
  async week(
    { params, query }: { params: { id: number }; query: QueryOf<typeof roomTimes.week> },
    { tx, user, now }: Asked,
  ) {
    const room = await requireRoom(tx, params.id);
    const monday = mondayOf(query.date ?? dayOf(now));
    const within = { from: `${monday} 00:00:00`, to: `${dayAfter(monday, 7)} 00:00:00` };
    const taken = await occupationsOf(tx, resource, [room.id], within);
    const known = await titlesOf(tx, user, taken);
    const calendar = await calendarOf(tx);
    const blocks = taken.map((one) => blockOf(one, known));
    return {
      days: Array.from({ length: 7 }, (_, at) => {
        const date = dayAfter(monday, at);
        const [from, to] = [`${date} 00:00:00`, `${dayAfter(date, 1)} 00:00:00`];
        const then = blocks.filter((one) => one.start_time < to && one.free_at > from);
        return { date, ...shownOn(room, date, calendar, then) };
      }),
    };
  },
};
