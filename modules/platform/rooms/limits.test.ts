import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { meetCalls } from '#modules/office/meetings/contract/meetings.ts';
import { offices } from './contract/offices.ts';
import { roomTimes } from './contract/looks.ts';
import { closedTooLong, officeUnkept } from './contract/refusals.ts';
import { rooms } from './contract/rooms.ts';

let app: TestOffice;
let keeper: Client;
let staff: Client;
let room: number;
const open_hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };
beforeAll(async () => {
  app = await openTestApp();
  const all = ['Create', 'Update', 'Delete'] as const;
  keeper = await app.clerk({ 'meet/office': [...all], 'meet/room': [...all] });
  staff = await app.signIn(await app.person({ roles: ['staff'], dept: await app.dept('教务处') }));
  const { id } = await keeper.get(offices.create, {
    body: { name: '界限会务', managers: [keeper.userId], open_hours, max_ahead_days: 30, step_min: 5 },
  });
  room = (await keeper.get(rooms.create, { body: { name: '界限室', office_id: id!, capacity: 20 } })).id!;
});
afterAll(() => app.close());
const on = (days: number, time: string) => `${dayOf(new Date(Date.now() + days * 86_400_000))} ${time}`;
const look = (start_time: string, end_time: string) =>
  staff.get(roomTimes.isApply, { query: { room_id: room, start_time, end_time } });

test('a room bookable thirty days ahead can be booked on all of the thirtieth day and not on the next', async () => {
  expect(await look(on(30, '23:00:00'), on(30, '23:55:00'))).toMatchObject({ can_apply: true, reasons: [] });
  const { reasons } = await look(on(31, '00:00:00'), on(31, '00:30:00'));
  expect(reasons).toEqual([`界限室最多提前 30 天申请，今天最晚可约 ${on(30, '').trim()}`]);
});

describe('a room office', () => {
  test('has a keeper, and is told if it has none', async () => {
    for (const managers of [undefined, []])
      expect(await keeper.ask(offices.create, { body: { name: '无人会务', ...(managers && { managers }) } })).toRefuse(
        officeUnkept,
        '无人会务',
      );
    const { id } = await keeper.get(offices.create, { body: { name: '有人会务', managers: [keeper.userId] } });
    const refused = await keeper.ask(offices.update, { params: { id: id! }, body: { managers: [] } });
    expect(refused).toRefuse(officeUnkept, '有人会务');
    expect(refused.msg).toContain('请至少选择一位会务人员');
  });

  test('without a keeper is refused by the database, except a closed one', async () => {
    const write = (name: string, status: number) =>
      app.services.databases.pool.query('insert into meet_office (name, status) values ($1, $2)', [name, status]);
    await expect(write('直写的会务', 1)).rejects.toThrow('meet_office_kept');
    await write('停用的会务', 0);
  });
});

describe('a period', () => {
  test('of closing a room is at most a year', async () => {
    const close = (end_time: string) =>
      keeper.ask(roomTimes.close, {
        body: { room_id: room, start_time: on(40, '08:00:00'), end_time, reason: '大修' },
      });
    expect(await close(on(406, '08:00:00'))).toRefuse(closedTooLong, on(406, '08:00'));
    expect((await close(on(405, '07:00:00'))).code).toBe(codes.ok);
  });

  test('with seconds is refused with a sentence, also where it clashes and alternatives are shown', async () => {
    const body = { title: '例会', host_id: staff.userId, submit: true, room_id: room };
    const ask = (start: string, end: string) =>
      staff.ask(meetCalls.create, { body: { ...body, start_time: on(2, start), end_time: on(2, end) } as never });
    expect((await ask('09:00:00', '10:00:00')).code).toBe(codes.ok);
    const odd = await ask('09:30:17', '10:15:43');
    expect([odd.code, odd.msg]).toEqual([codes.refused, '界限室的起止时间须为 5 分钟的整数倍，如 09:00、09:05']);
    const found = await look(on(2, '09:30:17'), on(2, '10:15:43'));
    expect(found).toMatchObject({ can_apply: false, conflicts: [{ start_time: on(2, '09:00:00') }] });
    expect(found.alternatives.length).toBeGreaterThan(0);
  });

  test('that ends before it begins is refused by every route', async () => {
    const backwards = { start_time: on(2, '10:00:00'), end_time: on(2, '09:00:00') };
    expect(await look(backwards.start_time, backwards.end_time)).toMatchObject({ can_apply: false, alternatives: [] });
    const many = await staff.ask(roomTimes.areApply, { body: { room_ids: [room], ...backwards } as never });
    const closed = await keeper.ask(roomTimes.close, { body: { room_id: room, ...backwards, reason: '修' } });
    expect([many.code, closed.code]).toEqual([codes.invalid, codes.invalid]);
  });
});
