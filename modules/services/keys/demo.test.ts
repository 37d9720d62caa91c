import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import { addDemoKeys } from './demo.ts';

const app = await openTestApp();
const write = <T>(act: (tx: Db) => Promise<T>) => app.services.databases.write(act);
beforeAll(() => write((tx) => addDemoSchool(tx, 'x')));
afterAll(() => app.close());

test('the demonstration’s loans of keys are in every state, one key is not back in time, and nothing lies in the future', async () => {
  const now = new Date();
  await write((tx) => addDemoKeys(tx, now));
  const { rows } = await app.services.databases.pool.query(
    `select act_state, status, count(*)::int from key_loan group by 1, 2 order by 1, 2`,
  );
  expect(rows).toEqual([
    { act_state: 0, status: null, count: 1 },
    { act_state: 1, status: null, count: 1 },
    { act_state: 4, status: 1, count: 1 },
    { act_state: 4, status: 2, count: 2 },
    { act_state: 4, status: 3, count: 3 },
  ]);
  const late = await app.services.databases.pool.query(
    'select from key_loan where status = 2 and due_date < current_date',
  );
  expect(late.rowCount).toBe(1);
  const later = await app.services.databases.pool.query(
    `select from ticket t join key_loan l on l.ticket_id = t.id
      where greatest(t.gmt_created, t.submitted_at, t.finished_at, l.gmt_created, l.taken_at, l.returned_at) > $1`,
    [now.toISOString()],
  );
  expect(later.rowCount).toBe(0);
});
