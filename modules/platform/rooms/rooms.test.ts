import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { dayAfter, dayOf, weekdayOf } from '#kernel/contract/moment.ts';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { isCrowded } from '#kernel/server/db/lost.ts';
import { calendars } from '#modules/platform/calendars/contract.ts';
import { offices } from './contract/offices.ts';
import { roomTimes } from './contract/looks.ts';
import { notOfOffice } from './contract/refusals.ts';
import { rooms } from './contract/rooms.ts';
import { doors } from './contract/waiting.ts';
import { personWithRights, viewerOf as viewing } from '#modules/platform/people/service/rights.ts';
import { leaveRoom, moveRoom, takeRoom } from './service.ts';

let app: TestOffice;
let keeper: Client;
let staff: Client;
let office: number;
beforeAll(async () => {
  app = await openTestApp();
  keeper = await app.clerk({
    'meet/office': ['Create', 'Update', 'Delete'],
    'meet/room': ['Create', 'Update', 'Delete'],
  });
  staff = await app.clerk({});
  office = await newOffice('校办会务');
});
afterAll(() => app.close());

const newOffice = async (name: string, more = {}) =>
  (
    await ok(
      keeper.ask(offices.create, {
        body: {
          name,
          managers: [keeper.userId],
          open_hours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true },
          ...more,
        },
      }),
    )
  ).id!;
const newRoom = async (name: string, more = {}) =>
  (await ok(keeper.ask(rooms.create, { body: { name, office_id: office, capacity: 20, ...more } }))).id!;
/** Tomorrow at a given time. */
const at = (time: string) => `${dayOf(new Date(Date.now() + 86_400_000))} ${time}:00`;
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });
const viewerOf = async ({ userId }: Client) => viewing((await personWithRights(app.db, userId))!, 1);
/** The data of a successful call, or a failure that says what was refused. */
async function ok<T>(asked: Promise<{ code: number; msg: string; data: T | null }>): Promise<T> {
  const { code, msg, data } = await asked;
  if (code !== codes.ok || data === null) throw Object.assign(new Error(msg), { code });
  return data;
}
const taking = async (record_id: number, room_id: number, start: string, end: string) => {
  const user = await viewerOf(staff);
  return app.services.databases.write((tx) =>
    takeRoom(tx, { module: 'meetings', record_id }, { room_id, ...period(start, end) }, { user, now: new Date() }),
  );
};
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as Refusal,
  );

describe('room offices and their rooms', () => {
  test('are offered for choice to every signed-in user while both are in use', async () => {
    const [id, closed] = [await newOffice('选项会务'), await newOffice('停用会务', { status: 0 })];
    const open = await newRoom('选项室', { office_id: id });
    await newRoom('停用室', { office_id: id, status: 0 });
    const { value } = await staff.get(offices.choice);
    expect(value.find((one) => one.value === id)).toEqual({
      value: id,
      label: '选项会务',
      rooms: [{ value: open, label: '选项室', capacity: 20 }],
    });
    expect(value.map((one) => one.value)).not.toContain(closed);
  });

  test('are listed together and found by name by every signed-in user', async () => {
    const id = await newRoom('列表室', { equipment: ['投影'] });
    const { value, total } = await staff.get(rooms.list, { query: { search_value: '列表室' } });
    expect([total, value[0]]).toMatchObject([1, { id, name: '列表室', office_id: office, capacity: 20 }]);
  });

  test('have unique names, and an office with rooms is not deleted', async () => {
    const room = await newRoom('命名室');
    await expect(newRoom('命名室')).rejects.toThrow('该会务单位已有会议室“命名室”');
    await expect(newOffice('校办会务')).rejects.toThrow('会务单位“校办会务”已存在');
    await expect(ok(keeper.ask(offices.remove, { params: { id: office } }))).rejects.toThrow(
      '间会议室，请先移出或删除',
    );
    await ok(keeper.ask(rooms.remove, { params: { id: room } }));
    expect((await ok(staff.ask(rooms.simple, { query: {} }))).value.map(({ value }) => value)).not.toContain(room);
  });

  test('are administered by their own department and keepers, and by nobody of another', async () => {
    const [own, other] = [await app.dept(), await app.dept()];
    const grants = {
      'meet/office': ['Create', 'Update', 'Delete'],
      'meet/room': ['Create', 'Update', 'Delete'],
    } as const;
    const of = (dept: number) =>
      app.clerk(Object.fromEntries(Object.entries(grants).map(([page, held]) => [page, [...held]])), {
        dept,
        dataScope: 3,
      });
    const [inside, outside] = [await of(own), await of(other)];
    const dept_office = await newOffice('学院会务', { dept_id: own });
    const room = await newRoom('学院会议室', { office_id: dept_office });
    const tried = (who: Client) => [
      who.ask(offices.update, { params: { id: dept_office }, body: { phone: '2000' } }),
      who.ask(rooms.update, { params: { id: room }, body: { capacity: 30 } }),
      who.ask(doors.make, { params: { id: room } }),
      who.ask(roomTimes.close, { body: { room_id: room, ...period('06:00', '06:30'), reason: '检修' } }),
      who.ask(rooms.create, { body: { name: `${who.userId}的会议室`, office_id: dept_office, capacity: 5 } }),
    ];
    for (const answer of await Promise.all(tried(outside))) expect(answer).toRefuse(notOfOffice, '学院会务');
    const offered = async (who: Client) => (await ok(who.ask(rooms.get, { params: { id: room } }))).value.actions;
    expect([await offered(inside), await offered(outside)]).toEqual([['update', 'delete'], []]);
    for (const asked of tried(inside)) expect((await asked).code).toBe(codes.ok);
    const name = `${inside.userId}的单位`;
    const open_hours = { days: [1], from: '08:00', to: '18:00' };
    expect(await inside.ask(offices.create, { body: { name, dept_id: other, open_hours } })).toRefuse(
      notOfOffice,
      name,
    );
  });

  test('cannot have contradictory settings', async () => {
    await expect(newRoom('长短', { min_minutes: 60, max_minutes: 30 })).rejects.toThrow(
      '最短使用 60 分钟超过了最长使用 30 分钟',
    );
    await expect(newRoom('释放', { auto_release_minutes: 15, checkin_required: false })).rejects.toThrow(
      '请先开启“须到场确认”',
    );
    // Missing values get the table's defaults.
    await expect(newRoom('未说', { auto_release_minutes: 15 })).rejects.toThrow('请先开启“须到场确认”');
    await expect(newRoom('长会', { min_minutes: 600 })).rejects.toThrow('最短使用 600 分钟超过了最长使用 480 分钟');
    await expect(newRoom('无处', { allow_depts: [9999] })).rejects.toThrow('限定部门（编号 9999）');
    const kept = await newRoom('有处', { allow_depts: [await app.dept('后勤处')] });
    const asked = { params: { id: kept }, body: { allow_depts: [9999] } };
    await expect(ok(keeper.ask(rooms.update, asked))).rejects.toThrow('限定部门（编号 9999）');
    await expect(newOffice('约不到', { min_ahead_min: 43_200, max_ahead_days: 29 })).rejects.toThrow(
      '至少提前 30 天、最多提前 29 天，没有可约的时间',
    );
    await expect(newRoom('无主', { managers: [999_999] })).rejects.toThrow('编号 999999');
  });

  test('are changed only with the version last read', async () => {
    const id = await newRoom('版本室');
    const { value } = await ok(keeper.ask(rooms.get, { params: { id } }));
    await ok(keeper.ask(rooms.update, { params: { id }, body: { capacity: 30, version: value.version } }));
    await expect(
      ok(keeper.ask(rooms.update, { params: { id }, body: { capacity: 40, version: value.version } })),
    ).rejects.toMatchObject({ code: codes.stale });
  });

  test('are closed on a holiday, in every view and when booking', async () => {
    const day = dayOf(new Date(Date.now() + 4 * 86_400_000));
    const open_hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: false };
    const kept = await newOffice('假日会务', { open_hours });
    const room = await newRoom('假日室', { office_id: kept });
    await ok(app.admin.ask(calendars.setDay, { params: { day }, body: { works: false, name: '校庆' } }));
    const wanted = { room_id: room, start_time: `${day} 09:00:00`, end_time: `${day} 10:00:00` };
    const look = await ok(staff.ask(roomTimes.isApply, { query: wanted }));
    expect(look.can_apply).toBe(false);
    expect(look.reasons).toEqual([expect.stringContaining(`（${day} 校庆不开放）`)]);
    const shown = async () => {
      const { rooms: seen } = await ok(staff.ask(roomTimes.day, { query: { date: day, office_id: kept } }));
      return seen.map((one) => one.closed);
    };
    expect(await shown()).toEqual(['校庆不开放']);
    const user = await viewerOf(staff);
    const take = () =>
      app.services.databases.write((tx) =>
        takeRoom(tx, { module: 'meetings', record_id: 990 }, wanted, { user, now: new Date() }),
      );
    expect((await refusalOf(take()))?.message).toContain('校庆不开放');
    await ok(
      keeper.ask(offices.update, { params: { id: kept }, body: { open_hours: { ...open_hours, holidays: true } } }),
    );
    expect([await shown(), (await take()).id]).toEqual([[null], room]);
    await ok(app.admin.ask(calendars.clearDay, { params: { day } }));
  });

  test('change only in the fields sent', async () => {
    const id = await newRoom('部分改', { equipment: ['投影'], buffer_minutes: 10 });
    await ok(keeper.ask(rooms.update, { params: { id }, body: { capacity: 33 } }));
    const { value } = await ok(keeper.ask(rooms.get, { params: { id } }));
    expect(value).toMatchObject({ capacity: 33, equipment: ['投影'], buffer_minutes: 10 });
    const other = await newOffice('部分改会务', { phone: '8801', max_ahead_days: 7 });
    await ok(keeper.ask(offices.update, { params: { id: other }, body: { address: '二楼' } }));
    const rows = await ok(keeper.ask(offices.list, { query: { search_value: '部分改' } }));
    expect(rows.value[0]).toMatchObject({ phone: '8801', max_ahead_days: 7, address: '二楼' });
    expect(rows.value[0]!.open_hours.from).toBe('00:00');
  });

  test('are created only by people with the permission', async () => {
    await expect(
      ok(staff.ask(rooms.create, { body: { name: '私设', office_id: office, capacity: 5 } })),
    ).rejects.toMatchObject({
      code: codes.forbidden,
    });
  });
});

describe('a room', () => {
  test('is not deleted while it has bookings to come', async () => {
    const room = await newRoom('待用室');
    await taking(1, room, '09:00', '10:00');
    await expect(ok(keeper.ask(rooms.remove, { params: { id: room } }))).rejects.toThrow(
      '会议室“待用室”之后还有 1 次使用',
    );
  });

  test('keeps its buffer once: the next booking begins at its end, and no sooner', async () => {
    const room = await newRoom('整理室', { buffer_minutes: 15 });
    await taking(2, room, '09:00', '10:00');
    expect(await refusalOf(taking(3, room, '10:00', '11:00'))).toMatchObject({ code: codes.conflict });
    await taking(3, room, '10:15', '11:00');
    await taking(4, room, '08:30', '08:45');
  });

  test('whose booking cannot be moved keeps it as it was', async () => {
    const room = await newRoom('移动室');
    await taking(5, room, '09:00', '10:00');
    await taking(6, room, '10:00', '11:00');
    const user = await viewerOf(staff);
    const moving = app.services.databases.write((tx) =>
      moveRoom(
        tx,
        { module: 'meetings', record_id: 5 },
        { room_id: room, ...period('10:30', '11:30') },
        { user, now: new Date() },
      ),
    );
    expect(await refusalOf(moving)).toMatchObject({ code: codes.conflict });
    const day = await ok(staff.ask(roomTimes.day, { query: { date: at('09:00').slice(0, 10) } }));
    const blocks = day.rooms.find(({ id }) => id === room)!.blocks;
    expect(blocks.map(({ record_id, start_time }) => [record_id, start_time.slice(11, 16)])).toEqual([
      [5, '09:00'],
      [6, '10:00'],
    ]);
    await app.services.databases.write((tx) => leaveRoom(tx, { module: 'meetings', record_id: 5 }));
    await taking(7, room, '09:00', '10:00');
  });

  test('of a department is for its people and those of its subdepartments', async () => {
    const dept = await app.dept('科研处');
    const below = await app.dept('项目科', dept);
    const room = await newRoom('专用室', { allow_depts: [dept] });
    const asked = { query: { room_id: room, ...period('14:00', '15:00') } };
    const inside = await app.clerk({}, { dept: below });
    expect(await ok(inside.ask(roomTimes.isApply, asked))).toMatchObject({ can_apply: true, reasons: [] });
    expect(await ok(staff.ask(roomTimes.isApply, asked))).toMatchObject({
      can_apply: false,
      reasons: ['专用室仅供科研处使用，请选择其他会议室'],
    });
  });

  test('closed for a time is grey on that day, and refuses bookings with alternatives', async () => {
    const room = await newRoom('检修室', { capacity: 25 });
    await newRoom('备用室', { capacity: 30 });
    const { id } = await ok(
      keeper.ask(roomTimes.close, {
        body: { room_id: room, ...period('13:00', '15:00'), reason: '设备检修' },
      }),
    );
    const refusal = await refusalOf(taking(8, room, '14:00', '15:30'));
    expect(refusal).toMatchObject({ code: codes.conflict });
    const asked = await ok(staff.ask(roomTimes.isApply, { query: { room_id: room, ...period('14:00', '15:30') } }));
    expect(asked.can_apply).toBe(false);
    expect(asked.conflicts.map(({ title }) => title)).toEqual(['停用：设备检修']);
    expect(asked.alternatives.length).toBeGreaterThanOrEqual(3);
    await ok(keeper.ask(roomTimes.open, { params: { id: id! } }));
    await taking(8, room, '14:00', '15:30');
    await expect(
      ok(keeper.ask(roomTimes.close, { body: { room_id: room, ...period('15:00', '16:00'), reason: '清洁' } })),
    ).rejects.toMatchObject({ code: codes.conflict });
  });

  test('shows of its bookings no more than the viewer may know', async () => {
    const room = await newRoom('保密室');
    await taking(9, room, '09:00', '10:00');
    const day = await ok(staff.ask(roomTimes.day, { query: { date: at('09:00').slice(0, 10) } }));
    expect(day.rooms.find(({ id }) => id === room)!.blocks).toMatchObject([
      { title: '已占用', mine: false, held: false },
    ]);
  });

  test('is shown for a week from Monday, each day as in the day view of all rooms', async () => {
    const shut = await newOffice('工作日会务', { open_hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' } });
    const [room, late] = [await newRoom('周历室', { office_id: shut }), await newRoom('夜间室')];
    await taking(21, late, '22:00', '23:30');
    const tomorrow = at('00:00').slice(0, 10);
    const monday = dayAfter(tomorrow, 1 - weekdayOf(tomorrow));
    const sunday = dayAfter(monday, 6);
    const week = async (id: number, date: string) =>
      (await ok(staff.ask(roomTimes.week, { params: { id }, query: { date } }))).days;
    const asDay = async (id: number, date: string) =>
      (await ok(staff.ask(roomTimes.day, { query: { date } }))).rooms.find((one) => one.id === id);
    const days = await week(late, sunday);
    expect(days.map((one) => one.date)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => dayAfter(monday, n)));
    expect(days.flatMap(({ date, blocks }) => blocks.map((one) => [date, one.title]))).toEqual([[tomorrow, '已占用']]);
    for (const id of [room, late])
      for (const { date, ...day } of await week(id, tomorrow)) expect(day).toEqual(await asDay(id, date));
    const gone = await staff.ask(roomTimes.week, { params: { id: 999_999 }, query: {} });
    expect(gone.code).toBe(codes.absent);
  });

  test('shows its rules and when it is next free', async () => {
    const room = await newRoom('规则室', { max_minutes: 120, buffer_minutes: 10 });
    const { value } = await ok(staff.ask(rooms.get, { params: { id: room } }));
    expect(value).toMatchObject({ may_use: true, approves: false });
    expect(value.rules).toEqual([
      '开放时间 每天 00:00–24:00，节假日照常开放',
      '每次 15 分钟至 2 小时',
      '最多提前 30 天',
      '会后留 10 分钟整理',
    ]);
    expect(value.next_free).not.toBeNull();
  });
});

test(
  'of three hundred simultaneous requests for overlapping times gets only bookings that do not overlap',
  { timeout: 180_000 },
  async () => {
    const room = await newRoom('争用室');
    const quarter = (step: number) =>
      `${String(Math.floor(step / 4)).padStart(2, '0')}:${String((step % 4) * 15).padStart(2, '0')}`;
    const wanted = Array.from({ length: 300 }, (_one, n) => ({
      id: 1000 + n,
      from: 32 + (n % 12),
      length: 1 + (n % 3),
    }));
    // On a slow machine some wait for a connection longer than the pool bears, and try again, as every caller is told to.
    const booked = async ({ id, from, length }: (typeof wanted)[number]): Promise<Refusal | null> => {
      const refusal = await refusalOf(taking(id, room, quarter(from), quarter(from + length)));
      return isCrowded(refusal) ? booked({ id, from, length }) : refusal;
    };
    const results = await Promise.all(wanted.map(booked));
    const refused = results.filter((one) => one !== null);
    expect(refused.filter((one) => one.code !== codes.conflict)).toEqual([]);
    const day = await ok(staff.ask(roomTimes.day, { query: { date: at('09:00').slice(0, 10) } }));
    const blocks = day.rooms.find(({ id }) => id === room)!.blocks;
    expect(blocks).toHaveLength(results.length - refused.length);
    expect(blocks.some((one, index) => index > 0 && one.start_time < blocks[index - 1]!.free_at)).toBe(false);
  },
);
