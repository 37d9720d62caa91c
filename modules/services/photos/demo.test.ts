import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import { addDemoPhotos } from './demo.ts';

const app = await openTestApp();
afterAll(app.close);

test('the demonstration has photos in every state, some pinned, a duplicate pair, a burst and originals', async () => {
  await app.services.databases.write(async (tx) => {
    await addDemoSchool(tx, 'x');
    await addDemoPhotos(tx, new Date());
  });
  const { rows } = await app.services.databases.pool.query(
    `select count(*)::int total, count(*) filter (where state = 0 and deleted_at is null)::int waits, count(*) filter (where state = 1)::int shown,
      count(*) filter (where state = 2)::int down, count(*) filter (where state = 3)::int back, count(deleted_at)::int gone, count(top_slot)::int tops,
      count(com_slot)::int coms, count(alike_id)::int alike, count(burst_id)::int burst, (select array_agg(state order by id) from photo_original) originals,
      (select count(*)::int from msg where type = 13 and title like '%提交了%') told from photo`,
  );
  expect(rows[0]).toEqual({
    total: 48,
    waits: 5,
    shown: 38,
    down: 1,
    back: 3,
    gone: 1,
    tops: 5,
    coms: 3,
    alike: 1,
    burst: 2,
    originals: [1, 0],
    told: 0,
  });
}, 300_000);
