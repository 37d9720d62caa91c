import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { addDemoSchool } from '#modules/people/demo.ts';
import { addDemoPhotos } from './demo.ts';

const app = await openTestApp();
afterAll(app.close);

test('the demonstration has photos in every state, some pinned, and a pair that looks the same', async () => {
  await app.services.databases.write(async (tx) => {
    await addDemoSchool(tx, 'x');
    await addDemoPhotos(tx, new Date());
  });
  const { rows } = await app.services.databases.pool.query(
    'select count(*) filter (where state = 0)::int waits, count(*) filter (where state = 1)::int shown, count(*) filter (where state = 3)::int back, count(top_slot)::int tops, count(alike_id)::int alike from photo',
  );
  expect(rows[0]).toEqual({ waits: 5, shown: 27, back: 4, tops: 2, alike: 1 });
}, 120_000);
