import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import { addDemoContracts } from './demo/demo.ts';
import { stories } from './demo/stories.ts';

const app = await openTestApp();
afterAll(app.close);

test('the demonstration creates a contract in every stage, using the product’s own commands', async () => {
  await app.services.databases.write(async (tx) => {
    await addDemoSchool(tx, 'x');
    await addDemoContracts(tx, new Date());
  });
  const { rows } = await app.services.databases.pool.query(
    'select stage, count(*)::int from contract group by stage order by stage',
  );
  expect(rows.map((row) => row.stage)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90].filter((stage) => stage !== 40));
  expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(stories.length);
  const { rows: odd } = await app.services.databases.pool.query(
    `select name, sign_date, start_date, end_date from contract where extract(isodow from sign_date) > 5 or extract(isodow from start_date) > 5
      or end_date = start_date + interval '1 year'`,
  );
  expect(odd).toEqual([]);
  const { rows: terms } = await app.services.databases.pool.query('select max(no) most from contract_term');
  expect(terms[0].most).toBe(4);
}, 300_000);
