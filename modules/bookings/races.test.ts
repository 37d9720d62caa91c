import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { databaseFault, type Db } from '#kernel/server/db/db.ts';
import type { Alternative, Clash } from './contract.ts';
import { book, bookFree, clashes, move, occupationsOf, type Source, type Wanted } from './service.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await write((tx) => tx.execute(sql`delete from booking`));
});

const write = <T>(work: (tx: Db) => Promise<T>) => app.services.databases.write(work);
const day = '2026-12-01';
const at = (time: string) => `${day} ${time}:00`;
const room = (start: string, end: string, more: Partial<Wanted> = {}): Wanted => ({
  resource: 'room',
  resource_id: 1,
  start_time: at(start),
  end_time: at(end),
  ...more,
});
const meeting = (record_id: number, slot?: string): Source => ({
  module: 'meetings',
  record_id,
  ...(slot !== undefined && { slot }),
});
const asking = { name: '第一会议室', within: { from: at('08:00'), to: at('18:00') } };
const take = (record: number, wanted: Wanted, more = {}) =>
  write((tx) => book(tx, meeting(record), wanted, { ...asking, ...more }));
const standing = () => occupationsOf(app.db, 'room', [1, 2, 3], { from: at('00:00'), to: at('24:00') });
const times = (rows: readonly { start_time: string; end_time: string }[]) =>
  rows.map(({ start_time, end_time }) => `${start_time.slice(11, 16)}–${end_time.slice(11, 16)}`);

async function refusedBy(
  work: Promise<unknown>,
): Promise<{ msg: string; clashes: Clash[]; alternatives: Alternative[] }> {
  const refusal = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(Refusal);
  const { code, message, data } = refusal as Refusal;
  expect(code).toBe(codes.conflict);
  return { msg: message, ...(data as { clashes: Clash[]; alternatives: Alternative[] }) };
}

describe('in a race', () => {
  test(
    'of eight for one slot, each their own way, exactly one has it, 200 times over',
    { timeout: 120_000 },
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

  test('two that change places at once end without a fault, and what stands does not overlap', async () => {
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

  test('whoever writes past the service is waited for, and is in the way like everybody', async () => {
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const other = write(async (tx) => {
      await tx.execute(sql`insert into booking (module, record_id, resource, resource_id, start_time, end_time, free_at, state)
        values ('sheet', 1, 'room', 1, ${at('09:00')}, ${at('10:00')}, ${at('10:00')}, 'confirmed')`);
      written();
      await mayCommit;
    });
    await isWritten;
    const refused = refusedBy(take(1, room('09:30', '10:30')));
    setTimeout(commit, 100);
    expect(times((await refused).clashes)).toEqual(['09:00–10:00']);
    await other;
  });

  test('the database itself lets no overlap in, whoever writes it', async () => {
    await take(1, room('09:00', '10:00'));
    const fault = await write((tx) =>
      tx.execute(sql`insert into booking (module, record_id, resource, resource_id, start_time, end_time, free_at, state)
        values ('sheet', 1, 'room', 1, ${at('09:59')}, ${at('11:00')}, ${at('11:00')}, 'held')`),
    ).catch(databaseFault);
    expect(fault).toMatchObject({ code: '23P01', constraint: 'booking_free' });
    const upside = take(2, room('12:00', '11:00'));
    expect(databaseFault(await upside.catch((error: unknown) => error))).not.toBeNull();
  });
});
