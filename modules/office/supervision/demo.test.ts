import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import { addDemoSupervision } from './demo/demo.ts';

const app = await openTestApp();
afterAll(app.close);

test('the demonstration creates 18 items with 55 parts in all states and lights, using the product’s own commands', async () => {
  await app.services.databases.write(async (tx) => {
    await addDemoSchool(tx, 'x');
    await addDemoSupervision(tx, new Date());
  });
  const sql = async (text: string) => (await app.services.databases.pool.query(text)).rows as Record<string, number>[];
  expect(await sql('select count(*)::int items from supervise')).toEqual([{ items: 18 }]);
  expect(await sql('select count(*)::int parts from supervise_sub')).toEqual([{ parts: 55 }]);
  expect((await sql('select distinct status from supervise order by 1')).map((row) => row['status'])).toEqual([
    1, 2, 3, 4,
  ]);
  const lights =
    await sql(`select count(*) filter (where red_at <= now())::int red, count(*) filter (where red_at > now() and yellow_at <= now())::int yellow,
    count(*) filter (where red_at > now() and (yellow_at > now() or yellow_at is null) and blue_at <= now())::int blue from supervise where status = 1`);
  expect(lights[0]!['red']).toBe(3);
  expect(lights[0]!['yellow']).toBeGreaterThanOrEqual(2);
  expect(lights[0]!['blue']).toBeGreaterThanOrEqual(1);
  expect(await sql(`select count(*)::int n from document where title like '%督办工作情况的通报'`)).toEqual([{ n: 1 }]);
}, 300_000);
