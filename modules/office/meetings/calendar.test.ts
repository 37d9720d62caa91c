import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { calendars } from '#modules/platform/calendars/contract.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';
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

describe('a subscribed calendar', () => {
  test('identifies a meeting by one id with increasing versions, and shows a cancelled one as cancelled', async () => {
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

  test('and file, door sign, room day, busy times and common calendar show no title that is not public', async () => {
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
    // The code of the meeting's page is shown for attendees to scan; it discloses no title.
    const way = await qrAddress(`${house.office.services.publicUrl()}/meet/detail/${id}`, { margin: 1, width: 320 });
    expect(door.bytes.toString('utf8')).toContain(`src="${way}"`);
    const own = await colleague.get(calendar.calendar, { query: { ...today, scope: 'mine' } });
    expect(own.value.map((one) => one.title)).toContain(secret);
    expect((await stranger.get(calendar.calendar, { query: { ...today, scope: 'mine' } })).value).toEqual([]);
  });
});

describe('people chosen for a meeting', () => {
  const asked = (users: Client[], from: string, to: string, days = 9, more: object = {}) => ({
    body: { users: users.map((one) => one.userId), ...timeOf(days, from, to), ...more },
  });
  const timeOf = (days: number, from: string, to: string) => ({ start_time: on(days, from), end_time: on(days, to) });
  const works = (day: string, works = true) =>
    house.office.admin.get(calendars.setDay, { params: { day: day.slice(0, 10) }, body: { works, name: '调整' } });

  test('are each shown as free or busy, with the reason only for those who may see it', async () => {
    const { staff, colleague, stranger, librarian } = house;
    await house.meet({
      title: secret,
      location: '一会',
      audience: { users: [colleague.userId] },
      ...timeOf(9, '09:00', '10:00'),
    });
    const query = asked([colleague, librarian], '09:30', '11:00');
    const marks = async (who: Client) =>
      (await who.get(calendar.busy, query)).value.map((one) => [one.alias, one.busy.map(({ label }) => label)]);
    expect(await marks(staff)).toEqual([
      ['孙八', [secret]],
      ['周馆长', []],
    ]);
    expect(await marks(stranger)).toEqual([
      ['孙八', ['有安排']],
      ['周馆长', []],
    ]);
    const { value } = await staff.get(calendar.busy, asked([colleague], '10:00', '11:00'));
    expect(value[0]!.busy).toEqual([]);
  });

  test('are busy on duty and on approved leave, without saying that it is leave', async () => {
    const { staff, colleague, office, hire, begin, approve } = house;
    const guard = await hire('值班员');
    await office.services.databases.pool.query(`
      with plan as (insert into duty_plan (keeper_id, name, work_from, work_to, rest_from, rest_to, staff_need, staff)
        values (${guard.userId}, '夜班', '17:00', '22:00', '17:00', '22:00', 1, '{}') returning id),
      shift as (insert into duty_shift (plan_id, day, name, kind, start_time, end_time, needs, published_at)
        select id, '${on(9, '00:00').slice(0, 10)}', '夜班', 1, '${on(9, '17:00')}', '${on(9, '22:00')}', '{0,1,0}', now() from plan returning id)
      insert into duty_person (shift_id, start_time, end_time, post, user_id, why)
        select id, '${on(9, '17:00')}', '${on(9, '22:00')}', 2, ${guard.userId}, '' from shift`);
    const day = on(9, '00:00').slice(0, 10);
    await works(day);
    const { id } = await begin(colleague, 'leave', { kind: 'annual', from: day, to: day, reason: '休年假' });
    await approve(id);
    const { value } = await staff.get(calendar.busy, asked([guard, colleague], '18:00', '19:00'));
    expect(value.map((one) => one.busy.map(({ label }) => label))).toEqual([['值班'], ['有安排']]);
    // The calendar of all modules shows all people their own entries.
    const mine = async (who: Client) =>
      (await who.get(feeds.mine, { query: { start: day, end: day } })).value.map(({ key, title, start, end }) => [
        key,
        title,
        start,
        end,
      ]);
    expect(await mine(colleague)).toContainEqual(['leave', '请假', day, day]);
  });

  test('get, on request, the first times in working hours that suit all of them', async () => {
    const { staff, colleague, librarian } = house;
    await works(on(12, '00:00'));
    for (const [one, from, to] of [
      [colleague, '00:00', '10:00'],
      [librarian, '09:00', '11:00'],
    ] as const)
      await house.meet({ location: '一会', audience: { users: [one.userId] }, ...timeOf(12, from, to) }, one);
    const query = asked([colleague, librarian], '09:00', '10:00', 12, { suggest: true });
    const { free } = await staff.get(calendar.busy, query);
    expect(free[0]).toEqual(timeOf(12, '11:00', '12:00'));
    expect(free.length).toBe(5);
    expect((await staff.get(calendar.busy, asked([colleague], '09:00', '10:00', 12))).free).toEqual([]);
  });

  test('are not busy because of the same meeting, also in a leader’s schedule', async () => {
    const { staff } = house;
    const xld = await house.hire('周校长', { roles: ['xld'] });
    const id = await house.meet({
      location: '一会',
      audience: { users: [xld.userId] },
      ...timeOf(14, '09:00', '10:00'),
    });
    const busyOf = async (more: object) =>
      (await staff.get(calendar.busy, asked([xld], '09:00', '10:00', 14, more))).value[0]!.busy.length;
    expect(await busyOf({})).toBe(1);
    expect(await busyOf({ exclude_id: id })).toBe(0);
  });
});

test('a meeting is moved in the calendar by its creator or the room’s keeper until it begins, and offered to nobody else', async () => {
  const { staff, colleague, keeper, stranger } = house;
  const room_id = await house.room();
  const span = { start_time: on(16, '09:00'), end_time: on(16, '10:00') };
  const id = await house.meet({
    title: '要移动的会',
    room_id,
    is_public: true,
    audience: { users: [colleague.userId] },
    ...span,
  });
  const day = on(16, '00:00').slice(0, 10);
  const shown = async (who: Client) =>
    (await who.get(calendar.calendar, { query: { start: day, end: day, scope: 'all' } })).value.find(
      (one) => one.id === id,
    )!;
  const may = await Promise.all([staff, keeper, colleague, stranger].map(async (who) => (await shown(who)).movable));
  expect(may).toEqual([true, true, false, false]);
  const { version } = await shown(staff);
  const inRoom = async (who: Client) =>
    (await who.get(roomTimes.day, { query: { date: day } })).rooms.find((one) => one.id === room_id)!.blocks[0]!
      .movable;
  const versions = await Promise.all([staff, keeper, colleague, stranger].map(inRoom));
  expect(versions).toEqual([version, version, null, null]);
  const to = { start_time: on(16, '11:00'), end_time: on(16, '12:30') };
  const stale = { ...to, version: version - 1 };
  expect((await staff.ask(meetCalls.edit, { params: { id }, body: stale as never })).code).not.toBe(0);
  await staff.get(meetCalls.edit, { params: { id }, body: { ...to, version } as never });
  expect(await shown(staff)).toMatchObject({ ...to, movable: true });
  expect((await house.get(id, colleague)).mine).toMatchObject({ reply: 0 });
  const stands = (state: number, finished: string) =>
    house.office.services.databases.pool
      .query(`update ticket set act_state = ${state}, finished_at = ${finished} where biz_module = 'meetings' and biz_id = ${id};
        update meet set act_state = ${state} where id = ${id}`);
  await stands(1, 'null');
  expect((await shown(staff)).movable).toBe(false);
  await stands(4, 'now()');
});

test('the common calendar says when it holds more meetings than it shows', async () => {
  const id = await house.meet({ is_public: true, location: '操场' });
  const far = { query: { start: '2031-03-03', end: '2031-03-09', scope: 'all' as const } };
  // As many as that without a ticket each: here the calendar alone is tried.
  await house.office.services.databases.pool.query('alter table meet disable trigger record_begins_with_ticket');
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

test('meeting figures count meetings held, times and attendance', async () => {
  const room = await house.room({ checkin_required: true, auto_release_minutes: 10 });
  const [held, given] = [
    await house.meet({ room_id: room }),
    await house.meet({ room_id: room, ...period('11:00', '12:00') }),
  ];
  await timesOf(house).begin(given, -70, 120);
  await timesOf(house).pass();
  await timesOf(house).begin(held, 60, 60);
  // A meeting moved near the present may lie on the day before or after.
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

test('a room’s use is a share of its open hours, and a closed holiday has none', async () => {
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
  // Two hours of ten; counting the holiday they would be two of twenty.
  expect(await rate()).toBe(20);
  await set(closed, true);
  expect(await rate()).toBe(10);
});
