import { afterAll, expect, test } from 'vitest';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { versionsById } from './service.ts';
import { openPublishing } from './testing/publishing.ts';

const { app, staff, publish, flow, begin, close } = await openPublishing();
afterAll(close);

test('every list answers in a system with 700 workflow versions, whichever versions were read before', async () => {
  const workflow = await flow();
  await publish(workflow);
  const [first, second] = [await begin(workflow, '甲'), await begin(workflow, '乙')];
  const { databases } = app.services;
  const { rows } = await databases.pool.query<{ id: number }>(
    `insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
     select workflow_id, no + n, 'retired', definition, hash, now() from workflow_version, generate_series(1, 700) n
     where workflow_id = $1 and status = 'published' returning id`,
    [workflow],
  );
  const ids = rows.map(({ id }) => id);
  const windows = [ids, ids.slice(0, 400), ids.slice(300), ids.slice(100, 650), ids];
  for (const asked of windows) expect([...(await versionsById(databases.fresh, asked)).keys()]).toEqual(asked);

  await databases.pool.query('update ticket set version_id = $1 where id = $2', [ids[699], second.id]);
  const mine = async () => (await staff.get(tickets.list, { query: { category: 'owner' } as never })).value;
  for (const full of [ids.slice(0, 499), ids.slice(0, 500), ids.slice(100, 600)]) {
    await versionsById(databases.fresh, full);
    expect((await mine()).map((row) => row.id)).toEqual(expect.arrayContaining([first.id, second.id]));
  }
});
