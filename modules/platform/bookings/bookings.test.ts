import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { momentText } from '#kernel/contract/moment.ts';
import { type Db } from '#kernel/server/db/db.ts';
import {
  book,
  bookFree,
  clashes,
  confirm,
  freeSlots,
  hasOccupations,
  move,
  release,
  settle,
  type Wanted,
} from './service.ts';
import { periodText } from './contract.ts';
import { openRooms, at, day, room, meeting, asking, times, refusedBy } from './testing/rooms.ts';

const { app, write, take, standing, empty, close } = await openRooms();
afterAll(close);
beforeEach(empty);

test('a period of whole days is called so in a sentence, and any other by its hours', () => {
  const text = (start: string, end: string) => periodText({ start_time: `${start}:00`, end_time: `${end}:00` });
  expect(text('2026-12-01 00:00', '2026-12-02 00:00')).toBe('2026-12-01 全天');
  expect(text('2026-12-01 00:00', '2026-12-04 00:00')).toBe('2026-12-01 至 2026-12-03 全天');
  expect(text('2026-12-01 00:00', '2026-12-01 12:00')).toBe('2026-12-01 00:00–12:00');
  expect(text('2026-12-01 18:00', '2026-12-02 00:00')).toBe('2026-12-01 18:00–2026-12-02 00:00');
});

describe('a booking', () => {
  test('keeps others out, whether held or confirmed, and lets adjacent ones in', async () => {
    await take(1, room('09:00', '10:00', { state: 'held' }));
    await take(2, room('10:00', '11:00'));
    await take(3, room('08:00', '09:00'));
    await take(4, room('09:00', '10:00', { resource_id: 2 }));
    await take(5, room('09:00', '10:00', { resource: 'stamp' }));
    for (const [start, end] of [
      ['09:00', '10:00'],
      ['09:59', '10:00'],
      ['07:00', '08:01'],
      ['00:00', '23:00'],
    ] as const)
      await refusedBy(take(9, room(start, end)));
    expect((await standing()).map(({ record_id }) => record_id)).toEqual([3, 1, 2, 4]);
  });

  test('of a full day is listed to the last one', async () => {
    await write((tx) =>
      tx.execute(sql`insert into booking (module, record_id, resource, resource_id, start_time, end_time, free_at, state)
        select 'meetings', n, 'desk', 1 + n % 3, at, at + interval '2 minutes', at + interval '2 minutes', 'confirmed'
        from generate_series(0, 599) n cross join lateral (select ${at('00:00')}::timestamptz + n / 3 * interval '2 minutes' as at) a`),
    );
    expect(await standing()).toHaveLength(600);
  });

  test('keeps its padding free after its end, once', async () => {
    await take(1, room('09:00', '10:00', { padding: 15 }));
    await refusedBy(take(2, room('10:14', '11:00')));
    await take(2, room('10:15', '11:00', { padding: 15 }));
    // The previous booking keeps its own padding as well.
    await refusedBy(take(3, room('08:00', '08:50', { padding: 15 })));
    await take(3, room('08:00', '08:45', { padding: 15 }));
  });

  test('that clashes is refused with the blocking booking, as far as the person may know it, and with alternatives', async () => {
    await take(1, room('09:00', '10:00'));
    await take(2, room('10:00', '11:00'));
    await take(3, room('09:00', '12:00', { resource_id: 2 }));
    const others = [
      { id: 2, name: '第二会议室' },
      { id: 3, name: '第三会议室' },
    ];
    const titles = async (_tx: Db, rows: readonly { record_id: number }[]) =>
      rows.map(({ record_id }) => (record_id === 1 ? '教职工大会' : undefined));
    const refused = await refusedBy(take(4, room('09:30', '10:30'), { others, titles }));
    expect(refused.clashes.map(({ title }) => title)).toEqual(['教职工大会', '已占用']);
    expect(refused.alternatives.map(({ name }) => name)).toEqual(['第三会议室', '第一会议室', '第一会议室']);
    expect(times(refused.alternatives)).toEqual(['09:30–10:30', '08:00–09:00', '11:00–12:00']);
    expect(refused.msg).toBe(
      '第一会议室 2026-12-01 09:30–10:30 已被占用（教职工大会 2026-12-01 09:00–10:00 等 2 项），' +
        '请改用第三会议室，或改到 2026-12-01 08:00–09:00',
    );
    for (const one of refused.alternatives)
      await take(10 + refused.alternatives.indexOf(one), { ...room('09:30', '10:30'), ...one });
  });

  test('gets alternatives only in the future and within opening hours, or a note that none is left', async () => {
    await take(1, room('08:30', '17:30'));
    const all = await refusedBy(take(2, room('09:00', '10:00')));
    expect(all.alternatives).toEqual([]);
    expect(all.msg).toMatch(/，请另选时间$/);
    const half = await refusedBy(take(2, room('09:00', '09:30')));
    expect(times(half.alternatives)).toEqual(['08:00–08:30', '17:30–18:00']);
    const late = await refusedBy(take(2, room('09:00', '09:30'), { now: new Date(`${day}T08:02:00+08:00`) }));
    expect(times(late.alternatives)).toEqual(['17:30–18:00']);
  });

  test('is moved at once or stays as it was, and is not in its own way', async () => {
    await take(1, room('09:00', '10:00', { state: 'held', padding: 10 }));
    await take(2, room('11:00', '12:00'));
    expect(await write((tx) => move(tx, meeting(1), room('09:30', '10:30'), asking))).toBe(true);
    const before = await standing();
    expect(before[0]).toMatchObject({ start_time: at('09:30'), free_at: at('10:30'), state: 'held' });
    // Also within the same transaction after the refusal.
    await write(async (tx) => {
      const refused = await refusedBy(move(tx, meeting(1), room('10:30', '11:30'), asking));
      expect(times(refused.alternatives)).toEqual(['10:00–11:00', '12:00–13:00']);
    });
    expect(await standing()).toEqual(before);
    expect(await write((tx) => move(tx, meeting(7), room('15:00', '16:00'), asking))).toBe(false);
  });

  test('is released as a whole, by slot or from now on, and its time is free at once except for its padding', async () => {
    await write(async (tx) => {
      await book(tx, meeting(1), room('09:00', '11:00', { padding: 15 }), asking);
      await book(tx, meeting(1, 'wanted'), room('14:00', '15:00'), asking);
    });
    expect(times(await write((tx) => release(tx, meeting(1, ''), at('09:40'))))).toEqual(['09:00–11:00']);
    await refusedBy(take(2, room('09:40', '11:15')));
    await take(2, room('09:55', '11:15'));
    expect(times(await standing())).toEqual(['09:00–09:40', '09:55–11:15', '14:00–15:00']);
    expect(await write((tx) => release(tx, meeting(1, ''), at('10:00')))).toEqual([]);
    expect(await write((tx) => release(tx, meeting(2), at('09:40')))).toHaveLength(1);
    expect(await write((tx) => release(tx, meeting(1)))).toHaveLength(2);
    expect(await standing()).toEqual([]);
  });

  test('is held until it is confirmed', async () => {
    await take(1, room('09:00', '10:00', { state: 'held' }));
    expect(await write((tx) => confirm(tx, meeting(1)))).toBe(true);
    expect((await standing())[0]!.state).toBe('confirmed');
    expect(await write((tx) => confirm(tx, meeting(2)))).toBe(false);
  });

  test('of a series takes the free dates and names what blocks the others', async () => {
    const series = ['01', '08', '15'].map((date, index) => ({
      ...room('09:00', '10:00'),
      ...meeting(20 + index),
      start_time: `2026-12-${date} 09:00:00`,
      end_time: `2026-12-${date} 10:00:00`,
    }));
    await write((tx) => book(tx, meeting(1), series[1]!, asking));
    const { booked, left } = await write((tx) => bookFree(tx, [...series, { ...series[2]!, record_id: 23 }]));
    expect(booked.map(({ record_id }) => record_id)).toEqual([20, 22]);
    expect(left.map((one) => [one.wanted.record_id, one.clashes.map(({ record_id }) => record_id)])).toEqual([
      [21, [1]],
      [23, [22]],
    ]);
  });
});

describe('free times', () => {
  const slots = (minutes: number, more = {}) =>
    freeSlots(app.db, { resource: 'desk', ids: [2, 1], from: at('08:00'), to: at('12:00'), minutes, ...more });

  test('are those that nobody has, in the wanted length, in the order of the resources', async () => {
    await take(1, room('08:30', '09:00'));
    await take(2, room('09:45', '10:30', { padding: 15 }));
    const free = await slots(30);
    expect(free.map(({ resource_id }) => resource_id)).toEqual([2, 1, 1, 1]);
    expect(times(free)).toEqual(['08:00–12:00', '08:00–08:30', '09:00–09:45', '10:45–12:00']);
    expect(times(await slots(40, { ids: [1] }))).toEqual(['09:00–09:45', '10:45–12:00']);
    // Its padding must be free too, but may lie outside the hours.
    expect(times(await slots(30, { ids: [1], padding: 30 }))).toEqual(['10:45–12:00']);
    expect(times(await slots(30, { ids: [1], except: meeting(2) }))).toEqual(['08:00–08:30', '09:00–12:00']);
  });

  test('are computed as the database does, for any bookings', async () => {
    const minutes = fc.tuple(fc.integer({ min: 0, max: 230 }), fc.integer({ min: 5, max: 60 }));
    await fc.assert(
      fc.asyncProperty(fc.array(minutes, { maxLength: 8 }), minutes, async (others, [start, length]) => {
        const text = (minute: number) => momentText(new Date(Date.parse(`${day}T08:00:00+08:00`) + minute * 60_000));
        const wantedAt = (from: number, long: number) => ({
          ...room('08:00', '08:00'),
          start_time: text(from),
          end_time: text(from + long),
        });
        await write((tx) => tx.execute(sql`delete from booking`));
        await write((tx) =>
          bookFree(
            tx,
            others.map(([from, long], n) => ({ ...wantedAt(from, long), ...meeting(n) })),
          ),
        );
        const wanted = wantedAt(start, length);
        const free = await freeSlots(app.db, {
          resource: 'desk',
          ids: [1],
          minutes: length,
          from: text(0),
          to: text(300),
        });
        const fits = free.some((slot) => slot.start_time <= wanted.start_time && wanted.end_time <= slot.end_time);
        expect(fits).toBe((await clashes(app.db, wanted)).length === 0);
        const booked = await take(99, wanted).then(
          () => true,
          () => false,
        );
        expect(booked).toBe(fits);
      }),
      { numRuns: 60 },
    );
  });
});

describe('settling the bookings of a record', () => {
  const settled = (wanted: Wanted | null, record = 1, slot?: string) =>
    write((tx) => settle(tx, meeting(record, slot), wanted, asking));
  const states = async () => (await standing()).map((one) => `${times([one])[0]} ${one.resource_id} ${one.state}`);

  test('books, moves or releases so that it has exactly what it wants', async () => {
    await settled(null);
    expect(await states()).toEqual([]);
    await settled(room('09:00', '10:00', { state: 'held' }));
    expect(await states()).toEqual(['09:00–10:00 1 held']);
    await settled(room('10:00', '11:00', { resource_id: 2 }));
    expect(await states()).toEqual(['10:00–11:00 2 held']);
    await settled(room('10:00', '11:00', { resource_id: 2, state: 'confirmed' }));
    expect(await states()).toEqual(['10:00–11:00 2 confirmed']);
    await settled(null);
    expect(await states()).toEqual([]);
  });

  test('rewrites nothing that is already right', async () => {
    await settled(room('09:00', '10:00', { padding: 10 }));
    const written = async () => (await app.db.execute(sql`select xmin::text as version from booking`)).rows;
    const before = await written();
    await settled(room('09:00', '10:00', { padding: 10 }));
    expect(await written()).toEqual(before);
    await settled(room('09:00', '10:00'));
    expect(await written()).not.toEqual(before);
  });

  test('concerns one slot of several, and leaves the record unchanged when refused', async () => {
    await settled(room('09:00', '10:00'));
    await settled(room('10:00', '11:00'), 1, 'change');
    await take(2, room('14:00', '15:00'));
    await refusedBy(settled(room('14:30', '15:30'), 1, 'change'));
    expect(times(await standing())).toEqual(['09:00–10:00', '10:00–11:00', '14:00–15:00']);
    await settled(null, 1);
    expect(times(await standing())).toEqual(['10:00–11:00', '14:00–15:00']);
  });
});

test('a resource counts as occupied while anybody has it now or later, including padding', async () => {
  await take(1, room('09:00', '10:00', { padding: 30 }));
  const occupied = (time: string, resource_id = 1) =>
    hasOccupations(app.db, { resource: 'desk', resource_id }, at(time));
  expect([
    await occupied('08:00'),
    await occupied('10:29'),
    await occupied('10:30'),
    await occupied('08:00', 2),
  ]).toEqual([true, true, false, false]);
});
