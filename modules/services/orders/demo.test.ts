import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import { addDemoOrders } from './demo.ts';

const app = await openTestApp();
const write = <T>(act: (tx: Db) => Promise<T>) => app.services.databases.write(act);
beforeAll(() => write((tx) => addDemoSchool(tx, 'x')));
afterAll(app.close);
/** Thrown to roll the transaction back, so that nobody is notified. */
const untold = new Error('undone');

test.each(['2026-11-23T11:00', '2026-10-03T00:10'])(
  'the demonstration’s repair orders show every stage on any day: %s',
  async (at) => {
    let stages: unknown;
    const telling = write(async (tx) => {
      await addDemoOrders(tx, new Date(`${at}:00+08:00`));
      stages = (
        await tx.$client.query(
          'select array_agg(distinct stage order by stage) stages, count(*)::int from repair_order',
        )
      ).rows[0];
      throw untold;
    });
    await expect(telling).rejects.toBe(untold);
    expect(stages).toEqual({ stages: [10, 20, 30, 40, 50, 60, 70, 80, 90], count: 63 });
  },
  180_000,
);
