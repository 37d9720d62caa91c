import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import { addDemoRooms } from '#modules/platform/rooms/demo.ts';
import { addDemoActivities } from './demo.ts';

const app = await openTestApp();
const write = <T>(act: (tx: Db) => Promise<T>) => app.services.databases.write(act);
beforeAll(() =>
  write(async (tx) => {
    await addDemoSchool(tx, 'x');
    await addDemoRooms(tx);
  }),
);
afterAll(app.close);

/** Thrown to roll the transaction back, so that nobody is notified. */
const untold = new Error('undone');

test.each(['2026-11-23', '2026-02-13', '2026-02-24', '2026-09-29'])(
  'the demonstration’s activities can be created on any day of the year: %s',
  async (date) => {
    let told: unknown;
    const telling = write(async (tx) => {
      await addDemoActivities(tx, new Date(`${date}T11:00:00+08:00`));
      told = (await tx.$client.query('select count(*)::int as count from activity')).rows[0];
      throw untold;
    });
    await expect(telling).rejects.toBe(untold);
    expect(told).toEqual({ count: 24 });
  },
  180_000,
);
