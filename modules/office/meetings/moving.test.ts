import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';
import { rooms } from '#modules/platform/rooms/contract/rooms.ts';
import { meetStatus } from './contract/codes.ts';
import { partOfApproval } from './contract/meetings.ts';
import { tooManyThisWeek } from './contract/refusals.ts';
import { calls, expectOk, on, openMeetings, period } from './testing/house.ts';

// Moving a meeting onto its own slot, or next to it.
let house: Awaited<ReturnType<typeof openMeetings>>;
beforeAll(async () => {
  house = await openMeetings();
});
afterAll(() => house.office.close());

const edit = (id: number, body: object) => house.staff.ask(calls.edit, { params: { id }, body: body as never });
const titlesIn = (answer: { data: unknown }) =>
  (answer.data as { clashes: { title: string }[] }).clashes.map((one) => one.title);
const tidied = (room_id: number) =>
  house.keeper.get(rooms.update, { params: { id: room_id }, body: { buffer_minutes: 15 } as never });
const agreedTo = async (room_id: number, more: object) => {
  const id = await house.meet({ room_id, ...more });
  await house.agree(id);
  return id;
};

describe('closing a room', () => {
  const close = (room_id: number, from: string, to: string) =>
    house.keeper.ask(roomTimes.close, {
      body: { room_id, ...period(from, to), reason: '检修', force: true } as never,
    });

  test('cancels the meetings in it; a meeting elsewhere only loses its change into the room, and its requester is told', async () => {
    const [here, closed] = [await house.room({}, house.strict), await house.room({}, house.strict)];
    const stays = await agreedTo(here, { title: '留下的会' });
    const ends = await agreedTo(closed, { title: '停掉的会', ...period('11:00', '12:00') });
    expectOk(await edit(stays, { room_id: closed, reason: '换大的' }));
    expect((await house.get(stays)).change).toMatchObject({ act_state: 1, room_id: closed });
    expectOk(await close(closed, '08:00', '13:00'));
    expect(await house.get(stays)).toMatchObject({ meet_status: meetStatus.coming, room_id: here, change: null });
    expect(await house.get(ends)).toMatchObject({ meet_status: meetStatus.cancelled });
    expect(await house.times(here)).toEqual([`${stays} 09:00–10:00`]);
    const heard = await house.heard(house.staff, '留下的会');
    expect(heard).toContain('会议变更未办理：留下的会');
    expect(heard).not.toContain('会议取消：留下的会');
    await house.consistent();
    // Another change may be requested now.
    expectOk(await edit(stays, { ...period('14:00', '15:00'), reason: '推迟' }));
  });

  test('for a part that only a pending change wanted leaves the meeting itself', async () => {
    const room = await house.room({}, house.strict);
    const stays = await agreedTo(room, { title: '加长的会' });
    expectOk(await edit(stays, { ...period('09:00', '11:00'), reason: '加长' }));
    expectOk(await close(room, '10:30', '11:30'));
    expect(await house.get(stays)).toMatchObject({ meet_status: meetStatus.coming, change: null });
    expect(await house.times(room)).toContain(`${stays} 09:00–10:00`);
    await house.consistent();
  });
});

describe('moving a meeting', () => {
  test('is blocked by other bookings, never by its own, whether its room needs approval or not', async () => {
    const [free, strict] = [await house.room(), await house.room({}, house.strict)];
    const one = await house.meet({ room_id: free, title: '要挪的会' });
    await house.meet({ room_id: free, title: '后面的会', ...period('10:30', '11:30') });
    const refused = await edit(one, period('09:30', '11:00'));
    expect([refused.code, titlesIn(refused)]).toEqual([codes.conflict, ['后面的会']]);
    expect(refused.msg).not.toContain('要挪的会');
    const other = await agreedTo(strict, { title: '要改的会' });
    await house.meet({ room_id: strict, title: '隔壁的会', ...period('10:30', '11:30') });
    const asked = await edit(other, period('09:30', '11:00'));
    expect([asked.code, titlesIn(asked)]).toEqual([codes.conflict, ['隔壁的会']]);
    expect(await house.times(free)).toContain(`${one} 09:00–10:00`);
    await house.consistent();
  });

  test('is refused in a week in which the organiser’s quota is used up, except by the office', async () => {
    const office = await house.made('限次会务', { max_per_user_week: 1, max_ahead_days: 30 });
    const room_id = await house.room({}, office);
    await house.meet({ room_id, ...period('09:00', '10:00', 2) });
    const id = await house.meet({ room_id, ...period('09:00', '10:00', 10) });
    const full = { ...period('14:00', '15:00', 2), reason: '提前' };
    expect(await edit(id, full)).toRefuse(tooManyThisWeek, '限次会务', 1);
    expectOk(await edit(id, period('14:00', '15:00', 10)));
    expectOk(await house.keeper.ask(calls.edit, { params: { id }, body: full as never }));
    await house.consistent();
  });

  test('or shortening it keeps its time though its room’s buffer has grown since', async () => {
    const [free, strict] = [await house.room(), await house.room({}, house.strict)];
    const id = await house.meet({ room_id: free });
    await house.meet({ room_id: free, ...period('10:00', '11:00') });
    const other = await agreedTo(strict, {});
    await agreedTo(strict, period('10:00', '11:00'));
    for (const room_id of [free, strict]) await tidied(room_id);
    const look = { query: { room_id: free, ...period('09:00', '09:45'), exclude_id: id } };
    expect(await house.staff.get(roomTimes.isApply, look as never)).toMatchObject({ can_apply: true });
    expectOk(await edit(id, period('09:00', '09:45')));
    expectOk(await edit(other, period('09:00', '09:45')));
    expectOk(await house.decide(other, house.keeper, '同意', (await house.get(other)).change!.ticket_id!));
    const ends = async (room_id: number) =>
      (await house.blocks(room_id)).map((one) => [one.end_time, one.free_at].map((at) => at.slice(11, 16)));
    const kept = [
      ['09:45', '10:00'],
      ['11:00', '11:00'],
    ];
    expect([await ends(free), await ends(strict)]).toEqual([kept, kept]);
    // A new booking, or a longer one, is checked against the longer buffer.
    expect((await edit(id, period('09:00', '10:00'))).code).toBe(codes.conflict);
    expect((await house.ask({ room_id: free, ...period('08:00', '09:00') })).code).toBe(codes.conflict);
    await house.consistent();
  });

  test('keeps an approved meeting as it was held though its room’s buffer has grown since', async () => {
    const strict = await house.room({}, house.strict);
    const id = await agreedTo(strict, {});
    await agreedTo(strict, period('15:00', '16:00'));
    expectOk(await edit(id, period('14:00', '15:00')));
    await tidied(strict);
    expectOk(await house.decide(id, house.keeper, '同意', (await house.get(id)).change!.ticket_id!));
    expect(await house.times(strict)).toEqual([`${id} 14:00–15:00`, expect.stringContaining('15:00–16:00')]);
  });

  test('with all dates of its repeat shortens them too', async () => {
    const free = await house.room();
    const repeat = { freq: 'DAILY', interval: 1, days: [], count: 3 };
    const id = await house.meet({ room_id: free, repeat });
    for (const ahead of [1, 2, 3]) await house.meet({ room_id: free, ...period('10:00', '11:00', ahead) });
    await tidied(free);
    const { code, data } = await edit(id, { scope: 'all', ...period('09:00', '09:45') });
    expect([code, (data as { left: unknown[] }).left]).toEqual([codes.ok, []]);
    expect(await house.times(free, 3)).toHaveLength(2);
  });

  test('to times without seconds is no change where they equal the present ones', async () => {
    const [strict, other] = [await house.room({}, house.strict), await house.room({}, house.strict)];
    const id = await agreedTo(strict, {});
    const typed = (from: string, to: string) =>
      Object.fromEntries(Object.entries(period(from, to)).map(([key, at]) => [key, at.slice(0, 16).replace(' ', 'T')]));
    expectOk(await edit(id, { ...typed('09:00', '10:00'), room_id: strict }));
    expect((await house.get(id)).change).toBeNull();
    expectOk(await edit(id, { ...typed('14:00', '15:00'), room_id: other, reason: '推迟' }));
    const { change } = await house.get(id);
    expect(change).toMatchObject({ act_state: 1, room_id: other, ...period('14:00', '15:00') });
    expectOk(await house.decide(id, house.keeper, '同意', change!.ticket_id!));
    expect(await house.times(other)).toEqual([`${id} 14:00–15:00`]);
    expect(await house.times(strict)).toEqual([]);
    await house.consistent();
  });

  test('by the office in another’s name goes where the office says, and everybody is told', async () => {
    const room_id = await house.room();
    const [id, there] = [await house.meet({ room_id, title: '让位的会' }), await house.room()];
    const wanted = { ...house.body({ room_id, type_id: 1, title: '更要紧的会' }), submit: false };
    const { id: for_id } = await house.keeper.get(calls.create, { body: wanted as never });
    const displace = (to: object) =>
      house.keeper.ask(calls.displace, { params: { id }, body: { for_id, reason: '校务', to } as never });
    await house.meet({ room_id: there, ...period('09:00', '09:30') });
    expect((await displace({ room_id: there })).code).toBe(codes.conflict);
    expect((await displace({ end_time: on(1, '08:00') })).code).not.toBe(codes.ok);
    expectOk(await displace({ room_id: there, ...period('11:00', '12:00') }));
    expect(await house.get(id)).toMatchObject({ room_id: there, start_time: on(1, '11:00'), meet_status: 0 });
    expect(await house.heard(house.staff, '让位的会')).toContain('会议变更：让位的会');
    expect(await house.times(room_id)).toHaveLength(1);
    await house.consistent();
  });
});

test('with a title after the approval is refused with the way to a new one, and a field or filter that there is not by its name', async () => {
  const id = await house.meet({ room_id: await house.room(), ...period('08:00', '08:30', 12) });
  const said = await edit(id, { title: '另一个名称', agenda: '一' });
  expect(said).toMatchObject({ code: codes.invalid, msg: `“title”：${partOfApproval}` });
  expect((await edit(id, { titel: '写错的项' })).msg).toBe('“titel”：没有这一项，请删去或改正后再提交');
  expect(await house.get(id)).toMatchObject({ title: '例会', agenda: '' });
  const listed = await house.staff.ask(calls.list, { query: { search: '例会' } as never });
  expect(listed).toMatchObject({ code: codes.invalid, msg: expect.stringContaining('search') });
});

test('with people beyond the seats asks for confirmation like a room that is too small', async () => {
  const room_id = await house.room({ capacity: 2 });
  const id = await house.meet({ room_id, ...period('08:00', '08:30', 13) });
  const { head, colleague, librarian } = house;
  const more = { observers: [head.userId, colleague.userId, librarian.userId] };
  expect(await edit(id, more)).toMatchObject({ code: codes.conflict, data: { can_force: true } });
  expectOk(await edit(id, { ...more, confirm: true }));
});
