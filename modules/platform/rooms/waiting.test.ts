import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { eq } from 'drizzle-orm';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { receiptTable } from '#modules/platform/messages/tables.ts';
import { personWithRights, viewerOf as viewing } from '#modules/platform/people/service/rights.ts';
import { roomTimes } from './contract/looks.ts';
import { offices } from './contract/offices.ts';
import { freeAlready, notToDisplace, roomUsed } from './contract/refusals.ts';
import { rooms } from './contract/rooms.ts';
import { doors, waiting } from './contract/waiting.ts';
import { endOffer } from './server/offers.ts';
import { keepFor, leaveRoom, takeRoom } from './service.ts';
import { doorTable, waitingTable } from './tables.ts';

let app: TestOffice;
let keeper: Client;
let staff: Client;
let other: Client;
let office: number;
let serial = 900;
beforeAll(async () => {
  app = await openTestApp();
  const all = ['Create', 'Update', 'Delete'] as const;
  keeper = await app.clerk({ 'meet/office': [...all], 'meet/room': [...all] });
  [staff, other] = await Promise.all([app.clerk({ 'meet/list': ['Create'] }), app.clerk({ 'meet/list': ['Create'] })]);
  const hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };
  const answer = await keeper.get(offices.create, {
    body: { name: '候补会务', managers: [keeper.userId], open_hours: hours, max_ahead_days: 100 },
  });
  office = answer.id!;
});
afterAll(() => app.close());

const newRoom = async (name: string, more = {}) =>
  (await keeper.get(rooms.create, { body: { name, office_id: office, capacity: 20, ...more } })).id!;
const at = (time: string, days = 1) => `${dayOf(new Date(Date.now() + days * 86_400_000))} ${time}:00`;
const period = (start: string, end: string, days = 1) => ({ start_time: at(start, days), end_time: at(end, days) });
const take = async (who: Client, room_id: number, when: { start_time: string; end_time: string }) => {
  const user = viewing((await personWithRights(app.db, who.userId))!, 1);
  const source = { module: 'elsewhere', record_id: ++serial };
  await app.services.databases.write((tx) => takeRoom(tx, source, { room_id, ...when }, { user, now: new Date() }));
  return source;
};
const leave = (source: { module: string; record_id: number }) =>
  app.services.databases.write((tx) => leaveRoom(tx, source));
const mineOf = async (who: Client, id: number) => (await who.get(waiting.list)).value.find((one) => one.id === id);
const offered = (who: Client, id: number) =>
  eventually(async () => expect((await mineOf(who, id))?.offered_room).toBeTruthy());

describe('a person who waits for a room', () => {
  test('gets it reserved and is told as soon as it is free, and nobody else gets it meanwhile', async () => {
    const room = await newRoom('候补一');
    const when = period('09:00', '10:00');
    expect(await staff.ask(waiting.wait, { body: { room_id: room, ...when } })).toRefuse(
      freeAlready,
      '候补一',
      when.start_time,
    );
    const source = await take(other, room, when);
    const { id } = await staff.get(waiting.wait, { body: { room_id: room, ...when } });
    await leave(source);
    await offered(staff, id!);
    const told = await app.db.select().from(receiptTable).where(eq(receiptTable.user_id, staff.userId));
    expect(told).toHaveLength(1);
    await expect(take(other, room, when)).rejects.toMatchObject({ code: codes.conflict });
    await take(staff, room, when);
    expect(await mineOf(staff, id!)).toBeUndefined();
  });

  test('may leave out the seconds, as may a check whether it is free', async () => {
    const room = await newRoom('候补零');
    const when = period('09:00', '10:00');
    const typed = { start_time: when.start_time.slice(0, 16), end_time: when.end_time.slice(0, 16).replace(' ', 'T') };
    const query = { room_id: room, ...typed };
    expect(await staff.get(roomTimes.isApply, { query })).toMatchObject({ can_apply: true, reasons: [] });
    const source = await take(other, room, when);
    const { id } = await staff.get(waiting.wait, { body: query });
    expect(await mineOf(staff, id!)).toMatchObject(when);
    const { value } = await other.get(roomTimes.areApply, { body: { room_ids: [room], ...typed } });
    expect(value).toMatchObject([{ state: 'clash', reasons: [], ...when }]);
    await staff.get(waiting.leave, { params: { id: id! } });
    await leave(source);
  });

  test('has a time freed for them marked as reserved, though they had queued for it', async () => {
    const room = await newRoom('候补腾');
    const when = period('13:00', '14:00');
    const source = await take(other, room, when);
    const { id } = await staff.get(waiting.wait, { body: { room_id: room, ...when } });
    await app.services.databases.write(async (tx) => {
      await leaveRoom(tx, source);
      await keepFor(tx, { user_id: staff.userId, room_id: room, ...when }, new Date());
    });
    expect((await mineOf(staff, id!))?.offered_room).toBeTruthy();
    const titles = (await staff.get(messages.unread)).value.map((one) => one.title);
    expect(titles).toContain('已为您的会议腾出候补腾');
    expect(titles).not.toContain('您候补的候补腾有空位');
  });

  test('loses the reservation when its time is over, and the next person gets it', async () => {
    const room = await newRoom('候补二');
    const when = period('09:00', '10:00');
    const source = await take(keeper, room, when);
    const first = (await staff.get(waiting.wait, { body: { room_id: room, ...when } })).id!;
    const second = (
      await other.get(waiting.wait, { body: { office_id: office, ...when, capacity: 20 } }).catch(() => null)
    )?.id;
    const next = second ?? (await other.get(waiting.wait, { body: { room_id: room, ...when } })).id!;
    await leave(source);
    await offered(staff, first);
    expect((await mineOf(other, next))?.offered_room).toBeNull();
    const later = new Date(Date.now() + 31 * 60_000);
    await app.services.databases.write((tx) => endOffer(tx, first, later));
    await offered(other, next);
    expect(await mineOf(staff, first)).toMatchObject({ missed: true });
  });

  test('and a simultaneous booking: one of both gets the room, whichever came first', async () => {
    const room = await newRoom('候补三');
    for (let round = 0; round < 6; round += 1) {
      const when = period('09:00', '10:00', 2 + round);
      const source = await take(keeper, room, when);
      const { id } = await staff.get(waiting.wait, { body: { room_id: room, ...when } });
      await leave(source);
      const direct = await take(other, room, when).then(
        () => true,
        (error: { code: number }) => (expect(error.code).toBe(codes.conflict), false),
      );
      if (!direct) await offered(staff, id!);
      else expect((await mineOf(staff, id!))?.offered_room).toBeNull();
    }
  });
});

describe('closing a room that is in use', () => {
  test('needs a confirmation, and bookings that can be displaced', async () => {
    const room = await newRoom('停用用');
    const when = period('14:00', '15:00');
    await take(staff, room, when);
    const body = { room_id: room, ...when, reason: '检修' };
    const refused = await keeper.ask(roomTimes.close, { body });
    const clash = { resource_id: room, ...when, title: '已占用' };
    expect(refused).toRefuse(roomUsed, '停用用', [clash]);
    // Occupations of an unregistered module cannot be displaced.
    expect(await keeper.ask(roomTimes.close, { body: { ...body, force: true } })).toRefuse(
      notToDisplace,
      '已占用',
      when.start_time,
    );
    expect(refused.data).toMatchObject({ can_force: true });
  });
});

describe('the dates of a repeat', () => {
  test('are checked one by one as free, taken, closed or outside opening hours', async () => {
    const room = await newRoom('重复用', { max_minutes: 120 });
    await take(other, room, period('09:00', '10:00', 2));
    await keeper.get(roomTimes.close, { body: { room_id: room, ...period('08:00', '12:00', 3), reason: '检修' } });
    const { faults, value } = await staff.get(roomTimes.areApply, {
      body: { room_ids: [room], ...period('09:30', '10:30'), repeat: { freq: 'DAILY', count: 4 } },
    });
    expect(faults).toEqual([]);
    expect(value.map((one) => one.state)).toEqual(['free', 'clash', 'blackout', 'free']);
    expect(value[1]!.conflicts).toMatchObject([{ title: '已占用' }]);
    expect(value[1]!.alternatives).toHaveLength(3);
    expect(value[1]!.alternatives.map((one) => one.resource_id)).not.toContain(room);
    expect(value[2]!.conflicts).toMatchObject([{ title: '停用：检修' }]);
    const long = await staff.get(roomTimes.areApply, {
      body: {
        room_ids: [room],
        start_time: at('09:00'),
        end_time: at('09:00', 3),
        repeat: { freq: 'DAILY', count: 3 },
      },
    });
    expect(long.faults[0]).toContain('一次会议长 2 天，到下一次开始');
    expect(long.value[0]!.reasons.join()).toContain('每次最多使用 2 小时');
  });
});

describe('the screen at a room’s door', () => {
  test('shows strangers when the room is free, and no title that is not public', async () => {
    const room = await newRoom('门牌室');
    const { url, image } = await keeper.get(doors.make, { params: { id: room } });
    expect(image).toMatch(/^data:image\/png/);
    const path = new URL(url, app.url).pathname;
    expect(path).toMatch(/^\/api\/meet\/door\/[0-9A-Z]{16}\/$/);
    const [row] = await app.db.select().from(doorTable).where(eq(doorTable.room_id, room));
    expect(JSON.stringify(row)).not.toContain(path.split('/')[4]);
    const page = await app.stranger.send(path);
    const text = page.bytes.toString('utf8');
    expect(page.status).toBe(200);
    expect(text).toContain('空闲');
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="20"></noscript>');
    expect(text).toContain(`更新于 ${momentText(new Date()).slice(0, 13)}`);
    const seen = await app.db.select().from(doorTable).where(eq(doorTable.room_id, room));
    expect(seen[0]!.last_seen).not.toBeNull();
    await keeper.get(doors.make, { params: { id: room } });
    expect((await app.stranger.send(path)).status).toBe(404);
    await keeper.get(doors.end, { params: { id: room } });
    expect(await app.db.select().from(doorTable).where(eq(doorTable.room_id, room))).toEqual([]);
  });

  test('may run only its one reload script', async () => {
    const room = await newRoom('门牌脚本');
    const path = new URL((await keeper.get(doors.make, { params: { id: room } })).url, app.url).pathname;
    const page = await app.stranger.send(path);
    const scripts = [...page.bytes.toString('utf8').matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script!);
    expect(scripts).toHaveLength(1);
    const hash = createHash('sha256').update(scripts[0]!).digest('base64');
    const rules = page.headers.get('content-security-policy')!.split('; ');
    expect(rules).toContain(`script-src 'sha256-${hash}'`);
    expect(rules).toContain("connect-src 'self'");
    expect(rules).toContain("default-src 'none'");
  });

  test('has an address that expires when no screen opened it for longer than a holiday, and guesses are limited', async () => {
    const room = await newRoom('旧门牌');
    const path = new URL((await keeper.get(doors.make, { params: { id: room } })).url, app.url).pathname;
    const seen = (days: number) =>
      app.services.databases.write((tx) =>
        tx
          .update(doorTable)
          .set({ last_seen: momentText(new Date(Date.now() - days * 864e5)) })
          .where(eq(doorTable.room_id, room)),
      );
    await seen(119);
    expect((await app.stranger.send(path)).status).toBe(200);
    await seen(121);
    expect((await app.stranger.send(path)).status).toBe(404);
    expect((await keeper.get(rooms.get, { params: { id: room } })).value.door).toMatchObject({ ended: true });
    await keeper.get(doors.make, { params: { id: room } });
    const statuses: number[] = [];
    for (let n = 0; n < 62; n++)
      statuses.push((await app.stranger.send(`/api/meet/door/${'0'.repeat(14)}${10 + n}/`)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
  });

  test('cannot be created by a person who does not keep rooms', async () => {
    const room = await newRoom('别人的门牌');
    expect((await staff.ask(doors.make, { params: { id: room } })).code).toBe(codes.forbidden);
    expect(await app.db.select().from(waitingTable).where(eq(waitingTable.room_id, room))).toEqual([]);
  });
});
