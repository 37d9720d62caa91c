import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import { hold } from '#modules/platform/bookings/service.ts';
import { meetCalls } from '#modules/office/meetings/contract/meetings.ts';
import { personWithRights, viewerOf as viewing } from '#modules/platform/people/service/rights.ts';
import { offices } from './contract/offices.ts';
import { rooms } from './contract/rooms.ts';
import { mostWaits, waiting } from './contract/waiting.ts';
import { resource, takeRoom } from './service.ts';

// Concurrent actions of two people on a room, its office and its waiting list.
let app: TestOffice;
let keeper: Client;
let staff: Client;
let serial = 0;
beforeAll(async () => {
  app = await openTestApp();
  const all = ['Create', 'Update', 'Delete'] as const;
  keeper = await app.clerk({ 'meet/office': [...all], 'meet/room': [...all] });
  staff = await app.signIn(await app.person({ roles: ['staff'], dept: await app.dept('教务处') }));
});
afterAll(() => app.close());

const hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };
const newOffice = async () =>
  (
    await keeper.get(offices.create, {
      body: { name: `会务${(serial += 1)}`, managers: [keeper.userId], open_hours: hours, max_ahead_days: 100 },
    })
  ).id!;
const room = (office_id: number) => ({ name: `会议室${(serial += 1)}`, office_id, capacity: 20 });
const newRoom = async () => (await keeper.get(rooms.create, { body: room(await newOffice()) })).id!;
const tomorrow = dayOf(new Date(Date.now() + 86_400_000));
const period = { start_time: `${tomorrow} 09:00:00`, end_time: `${tomorrow} 10:00:00` };
/** Books like a module whose records name no room of their own. */
const take = async (room_id: number) => {
  const user = viewing((await personWithRights(app.db, staff.userId))!, 1);
  const source = { module: 'elsewhere', record_id: (serial += 1) };
  const taking = { room_id, ...period };
  return app.services.databases
    .write((tx) => takeRoom(tx, source, taking, { user, now: new Date() }))
    .then(
      () => ({ code: 0, status: 200 }),
      (stop: unknown) => ({
        code: stop instanceof Refusal ? stop.code : NaN,
        status: stop instanceof Refusal ? 200 : 500,
      }),
    );
};
const book = (room_id: number) =>
  staff.ask(meetCalls.create, {
    body: { title: '例会', host_id: staff.userId, submit: true, room_id, ...period } as never,
  });
/** The number of calls to this server that wait for a lock. */
const waits = async () =>
  (
    await app.services.databases.pool.query<{ n: number }>(
      `select count(*)::int n from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`,
    )
  ).rows[0]!.n;
const waitFor = async (count: number) => {
  for (let tries = 0; (await waits()) < count; tries += 1) {
    if (tries > 100) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test.for([
  ['booking', 'by a meeting', book],
  ['deleting', 'by a meeting', book],
  ['booking', 'by another module', take],
  ['deleting', 'by another module', take],
] as const)('a room is deleted or booked, never both: %s it %s began first', async ([first, _how, booking]) => {
  const id = await newRoom();
  const asks = { booking: () => booking(id), deleting: () => keeper.ask(rooms.remove, { params: { id } }) };
  // Both have found nothing in the way when the first of them continues.
  const answers = await app.services.databases.write(async (tx) => {
    await hold(tx, [{ resource, resource_id: id }]);
    const one = asks[first]();
    await waitFor(1);
    const other = asks[first === 'booking' ? 'deleting' : 'booking']();
    await Promise.race([other, waitFor(2)]);
    return [one, other];
  });
  const said = await Promise.all(answers);
  expect(
    said.map(({ code }) => code === 0),
    JSON.stringify(said),
  ).toEqual([true, false]);
  expect(said[1]!.status).toBe(200);
  const { rows } = await app.services.databases.pool.query(
    `select from booking b join meet_room r on r.id = b.resource_id where b.resource = 'room' and r.is_deleted`,
  );
  expect(rows).toHaveLength(0);
});

test('a room office is deleted or gets a room, never both', async () => {
  for (let round = 0; round < 20; round += 1) {
    const office_id = await newOffice();
    const elsewhere = await newRoom();
    const said = await Promise.all([
      keeper.ask(offices.remove, { params: { id: office_id } }),
      round % 2
        ? keeper.ask(rooms.create, { body: room(office_id) })
        : keeper.ask(rooms.update, { params: { id: elsewhere }, body: { office_id } as never }),
    ]);
    expect(said.map(({ code }) => code === 0).toSorted(), JSON.stringify(said)).toEqual([false, true]);
  }
  const { rows } = await app.services.databases.pool.query(
    `select from meet_room r join meet_office o on o.id = r.office_id where o.is_deleted and not r.is_deleted`,
  );
  expect(rows).toHaveLength(0);
});

test('thirty simultaneous requests leave one person in at most twenty queues', async () => {
  const id = await newRoom();
  const day = (at: number) => dayOf(new Date(Date.now() + (at + 1) * 86_400_000));
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into booking (module, record_id, resource, resource_id, start_time, end_time, free_at, state)
      values ('elsewhere', 1, 'room', ${id}, now(), now() + interval '60 days', now() + interval '60 days', 'confirmed')`),
  );
  const said = await Promise.all(
    Array.from({ length: mostWaits + 10 }, (_, at) =>
      staff.ask(waiting.wait, {
        body: { room_id: id, start_time: `${day(at)} 09:00:00`, end_time: `${day(at)} 10:00:00` } as never,
      }),
    ),
  );
  expect(said.filter(({ code }) => code === 0)).toHaveLength(mostWaits);
  expect((await staff.get(waiting.list)).value).toHaveLength(mostWaits);
});
