import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { databaseFault } from '#kernel/server/db/db.ts';
import { bookFree, clashes, move } from './service.ts';
import { openRooms, at, room, meeting, asking, times, refusedBy } from './testing/rooms.ts';

const { app, write, take, standing, empty, close } = await openRooms();
afterAll(close);
beforeEach(empty);

describe('in a race for bookings', () => {
  test(
    'exactly one of eight requests of different kinds gets a slot, 200 times over',
    { timeout: 300_000 },
    async () => {
      const away = (n: number) => room('20:00', '21:00', { resource_id: 100 + n });
      const ways: ((n: number) => Promise<unknown>)[] = [
        (n) => take(n, room('09:00', '10:00')),
        (n) => take(n, room('09:00', '10:00', { state: 'held' })),
        (n) => take(n, room('09:10', '09:50')),
        (n) => take(n, room('08:00', '11:00')),
        (n) => take(n, room('08:00', '09:05', { padding: 30 })),
        (n) => write((tx) => move(tx, meeting(n), room('09:30', '10:30'), asking)),
        (n) => write((tx) => move(tx, meeting(n), room('09:00', '10:00'), asking)),
        async (n) => {
          const { left } = await write((tx) => bookFree(tx, [{ ...room('09:20', '09:40'), ...meeting(n) }]));
          if (left.length > 0) throw new Refusal(codes.conflict, 'left');
        },
      ];
      for (let round = 0; round < 200; round++) {
        await write((tx) => tx.execute(sql`delete from booking`));
        await Promise.all([5, 6].map((n) => take(n, away(n))));
        const results = await Promise.allSettled(ways.map((way, n) => way(n)));
        const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
        expect(lost.filter((reason) => !(reason instanceof Refusal && reason.code === codes.conflict))).toEqual([]);
        expect(lost).toHaveLength(7);
        expect(await clashes(app.db, room('07:00', '12:00'))).toHaveLength(1);
      }
    },
  );

  test('two bookings that exchange places at once end without an error or an overlap', async () => {
    for (let round = 0; round < 20; round++) {
      await write((tx) => tx.execute(sql`delete from booking`));
      await take(1, room('09:00', '10:00'));
      await take(2, room('10:00', '11:00', { resource_id: 2 }));
      const results = await Promise.allSettled([
        write((tx) => move(tx, meeting(1), room('10:00', '11:00', { resource_id: 2 }), asking)),
        write((tx) => move(tx, meeting(2), room('09:00', '10:00'), asking)),
      ]);
      for (const result of results)
        if (result.status === 'rejected') expect((result.reason as Refusal).code).toBe(codes.conflict);
      expect(await standing()).toHaveLength(2);
    }
  });

  test('a row written directly to the table is waited for, and blocks like any other', async () => {
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const other = write(async (tx) => {
      await tx.execute(sql`insert into booking (module, record_id, resource, resource_id, start_time, end_time, free_at, state)
        values ('sheet', 1, 'desk', 1, ${at('09:00')}, ${at('10:00')}, ${at('10:00')}, 'confirmed')`);
      written();
      await mayCommit;
    });
    await isWritten;
    const refused = refusedBy(take(1, room('09:30', '10:30')));
    setTimeout(commit, 100);
    expect(times((await refused).clashes)).toEqual(['09:00–10:00']);
    await other;
  });

  test('the database itself refuses an overlap, whoever writes it', async () => {
    await take(1, room('09:00', '10:00'));
    const fault = await write((tx) =>
      tx.execute(sql`insert into booking (module, record_id, resource, resource_id, start_time, end_time, free_at, state)
        values ('sheet', 1, 'desk', 1, ${at('09:59')}, ${at('11:00')}, ${at('11:00')}, 'held')`),
    ).catch(databaseFault);
    expect(fault).toMatchObject({ code: '23P01', constraint: 'booking_free' });
    const upside = take(2, room('12:00', '11:00'));
    expect(databaseFault(await upside.catch((error: unknown) => error))).not.toBeNull();
  });
});
