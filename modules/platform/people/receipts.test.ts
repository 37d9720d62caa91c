import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { receiptsOf } from './service/receipts.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('receipts are counted by department, including people without one, with names only on request', async () => {
  const dept = await app.dept('财务处');
  const [done, opened, late] = [await app.person(), await app.person(), await app.person()];
  const loose = await app.person();
  const people = sql`values (${done.id}::int, ${dept}::int, true, true, false), (${opened.id}, ${dept}, true, false, true),
    (${late.id}, ${dept}, false, false, true), (${loose.id}, null, true, true, false)`;
  const names = await receiptsOf(app.db, people, { named: true, viewer: late.id });
  expect(names).toMatchObject({ total: 4, read: 3, done: 2, late: 2, to_urge: 1 });
  expect(names.depts).toEqual([
    {
      dept_id: dept,
      dept_name: '财务处',
      total: 3,
      read: 2,
      done: 1,
      late: 2,
      late_people: [opened, late].map(({ id, alias }) => ({ id, alias })),
      other_people: [{ id: done.id, alias: done.alias }],
    },
    expect.objectContaining({ dept_id: null, dept_name: '', total: 1, late: 0, late_people: [] }),
  ]);
  const counted = await receiptsOf(app.db, people, { named: false, viewer: 0 });
  expect(counted.depts.map((row) => [row.late, row.late_people, row.other_people])).toEqual([
    [2, [], []],
    [0, [], []],
  ]);
});

test('a viewer of receipts may urge late people, except themselves and leavers', async () => {
  const [self, gone, late] = [await app.person(), await app.person(), await app.person()];
  await app.services.databases.write((tx) =>
    tx.execute(sql`update app_user set is_active = false where id = ${gone.id}`),
  );
  const people = sql`select unnest(${sql.param([self.id, gone.id, late.id])}::int[]), null::int, false, false, true`;
  expect(await receiptsOf(app.db, people, { named: true, viewer: self.id })).toMatchObject({ late: 3, to_urge: 1 });
});

test('receipts name at most twenty people of a department, and count all', async () => {
  const dept = await app.dept('全体');
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into app_user (username, alias, password, dept_id)
      select 'many' || n, '众' || n, 'x', ${dept} from generate_series(1, 50) n`),
  );
  const people = sql`select id, dept_id, false, false, true from app_user where username like 'many%'`;
  const { depts, late } = await receiptsOf(app.db, people, { named: true, viewer: 0 });
  expect([late, depts[0]!.late_people.length]).toEqual([50, 20]);
});
