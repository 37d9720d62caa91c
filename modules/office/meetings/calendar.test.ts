import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { calendars } from '#modules/platform/calendars/contract.ts';
import { doors } from '#modules/platform/rooms/contract/waiting.ts';
import type { Client } from '#apps/server/testing.ts';
import { calendar, mostMeetings } from './contract/calendar.ts';
import { meetCalls } from './contract/meetings.ts';
import { meetStatistics } from './contract/statistics.ts';
import { on, openMeetings, period } from './testing/house.ts';
import { timesOf } from './testing/passing.ts';

let house: Awaited<ReturnType<typeof openMeetings>>;
beforeAll(async () => {
  house = await openMeetings();
});
afterAll(() => house.office.close());

const secret = '绝密调整方案';
const feedOf = async (who: Client) => {
  const { path } = await who.get(feeds.add, { body: { name: '我的会议', keys: ['meetings'] } as never });
  return async () => (await house.office.stranger.send(path)).bytes.toString('utf8').replace(/\r?\n[ \t]/g, '');
};
const eventOf = (text: string, id: number) =>
  text.split('BEGIN:VEVENT').find((part) => part.includes(`UID:meetings-${id}@`)) ?? '';
const number = (text: string, key: string) => Number(new RegExp(`${key}:(\\d+)`).exec(text)?.[1]);
const query = () => ({ start: on(1, '00:00').slice(0, 10), end: on(8, '00:00').slice(0, 10), scope: 'all' as const });

describe('a calendar of somebody', () => {
  test('knows a meeting by one number and ever later versions, and a cancelled one as cancelled', async () => {
    const { staff, colleague } = house;
    const id = await house.meet({
      location: '操场',
      title: '公开课',
      is_public: true,
      audience: { users: [colleague.userId] },
    });
    const read = await feedOf(colleague);
    const first = eventOf(await read(), id);
    expect(first).toContain('SUMMARY:公开课');
    await staff.get(meetCalls.edit, { params: { id }, body: period('15:00', '16:00') as never });
    const moved = eventOf(await read(), id);
    expect(number(moved, 'SEQUENCE')).toBeGreaterThan(number(first, 'SEQUENCE'));
    expect(moved).not.toBe(first);
    await staff.get(meetCalls.cancel, { params: { id }, body: { reason: '改期', scope: 'this' } as never });
    const gone = eventOf(await read(), id);
    expect(gone).toContain('STATUS:CANCELLED');
    expect(number(gone, 'SEQUENCE')).toBeGreaterThan(number(moved, 'SEQUENCE'));
    expect((await read()).split(`UID:meetings-${id}@`)).toHaveLength(2);
    await house.office.services.databases.pool.query(
      `update meet set gmt_modified = now() - interval '31 days' where id = ${id}`,
    );
    expect(eventOf(await read(), id)).toBe('');
  });

  test('and a file, a door, a day of rooms, busy times and the calendar of all say no title that is not public', async () => {
    const { staff, colleague, stranger, keeper } = house;
    const room = await house.room();
    const id = await house.meet({ room_id: room, title: secret, audience: { users: [colleague.userId] } });
    await timesOf(house).begin(id, 5);
    const read = await feedOf(colleague);
    const ics = await colleague.send(`/api/meet/${id}/ics/`);
    const { url } = await keeper.get(doors.make, { params: { id: room } });
    const door = await house.office.stranger.send(new URL(url, house.office.url).pathname);
    const busy = await stranger.ask(calendar.busy, {
      body: { users: [colleague.userId, staff.userId], start_time: on(0, '00:00'), end_time: on(2, '00:00') },
    });
    const today = { ...query(), start: on(-1, '00:00').slice(0, 10) };
    const all = await stranger.ask(calendar.calendar, { query: today });
    expect(eventOf(await read(), id)).toContain('SUMMARY:会议（内部）');
    expect(busy.data.value.map((one) => one.user_id).toSorted()).toEqual([staff.userId, colleague.userId].toSorted());
    expect(all.data.value.find((one) => one.room_name !== '')).toMatchObject({ id: null, title: '已占用' });
    const said = [await read(), ics.bytes.toString('utf8'), door.bytes.toString('utf8'), JSON.stringify([busy, all])];
    for (const text of said) expect(text).not.toContain(secret);
    expect(door.bytes.toString('utf8')).toContain('已占用');
    const own = await colleague.get(calendar.calendar, { query: { ...today, scope: 'mine' } });
    expect(own.value.map((one) => one.title)).toContain(secret);
    expect((await stranger.get(calendar.calendar, { query: { ...today, scope: 'mine' } })).value).toEqual([]);
  });
});

test('a calendar of all says where it does not show all: one meeting beyond what it holds', async () => {
  const id = await house.meet({ is_public: true, location: '操场' });
  const far = { query: { start: '2031-03-03', end: '2031-03-09', scope: 'all' as const } };
  const held = async (more: number) => {
    await house.office.services.databases.pool.query(`
      insert into meet overriding system value select (jsonb_populate_record(m, jsonb_build_object('id', nextval(pg_get_serial_sequence('meet', 'id')),
        'start_time', '2031-03-04 09:00+08', 'end_time', '2031-03-04 10:00+08', 'sn', null, 'ticket_id', null))).*
      from meet m cross join generate_series(1, ${more}) where m.id = ${id}`);
    const { value, more: says } = await house.staff.get(calendar.calendar, far);
    return [value.length, says];
  };
  expect(await held(mostMeetings)).toEqual([mostMeetings, false]);
  expect(await held(1)).toEqual([mostMeetings, true]);
});

test('figures count what was held, when, and who came', async () => {
  const room = await house.room({ checkin_required: true, auto_release_minutes: 10 });
  const [held, given] = [
    await house.meet({ room_id: room }),
    await house.meet({ room_id: room, ...period('11:00', '12:00') }),
  ];
  await timesOf(house).begin(given, -70, 120);
  await timesOf(house).pass();
  await timesOf(house).begin(held, 60, 60);
  // What was moved beside the present may lie on the day before or after it.
  const around = { start: on(-1, '00:00').slice(0, 10), end: on(1, '00:00').slice(0, 10) };
  const { value } = await house.keeper.get(meetStatistics.call, { query: around as never });
  const page = value as unknown as Record<string, Record<string, number>[]>;
  expect(page['by_room']!.find((row) => String(row['key']) === String(room))).toMatchObject({
    count: 2,
    released: 1,
    released_rate: 50,
  });
  expect(page['by_heat']!.length).toBeGreaterThan(0);
  expect(page['by_dept']![0]).toMatchObject({ name: '教务处' });
});

test('a room is used for a part of its open hours, to which a closed holiday gives none', async () => {
  const { keeper, office, made } = house;
  const open_hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '18:00', holidays: false };
  const room = await house.room({}, await made('假日会务', { open_hours }));
  const [closed, open] = [on(2, '00:00').slice(0, 10), on(3, '00:00').slice(0, 10)];
  const set = async (day: string, works: boolean) =>
    expect((await office.admin.ask(calendars.setDay, { params: { day }, body: { works, name: '校庆' } })).code).toBe(0);
  const rate = async () => {
    const { value } = await keeper.get(meetStatistics.call, { query: { start: closed, end: open } as never });
    const page = value as unknown as Record<string, Record<string, unknown>[]>;
    return page['by_room']!.find((row) => String(row['key']) === String(room))?.['use_rate'];
  };
  await set(closed, false);
  await set(open, true);
  await house.meet({ room_id: room, start_time: `${open} 09:00:00`, end_time: `${open} 11:00:00` });
  // Two hours of ten; with the holiday open they were two of twenty.
  expect(await rate()).toBe(20);
  await set(closed, true);
  expect(await rate()).toBe(10);
});
