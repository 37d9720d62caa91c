import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractCategories } from '#modules/office/contracts/contract/categories.ts';
import { customers } from '#modules/services/customers/contract/customers.ts';
import { everything } from '#modules/services/customers/testing/house.ts';
import { categories } from '#modules/services/orders/contract/settings.ts';
import { depts } from '#modules/platform/people/contract/depts.ts';
import { sealCalls } from '#modules/office/stamps/contract/seals.ts';
import { dueIn } from '#modules/office/supervision/testing/house.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import type { Client } from './testing.ts';
import { openSchool } from './testing/school.ts';

type House = Awaited<ReturnType<typeof openSchool>>;
let school: House;
let admin: Client;
let keeper: Client;
beforeAll(async () => {
  school = await openSchool();
  admin = school.office.admin;
  keeper = await school.hire('保管员', { roles: ['seal_keeper'] });
});
afterAll(() => school.office.close());

const removed = (id: number) => admin.ask(depts.remove, { params: { id } });

/** Records that may belong to a department, each created by its own call; returns the call's answer. */
const hung: Record<string, (dept: number, name: string) => Promise<{ code: number; msg: string }>> = {
  '1 个报修类别': (team_id, name) => admin.ask(categories.add, { body: { name, team_id } as never }),
  '1 项未办结的督办事项': (dept, title) =>
    admin.ask(items.create, {
      body: {
        title,
        source: 2,
        content: '整改',
        lead_dept: dept,
        due_at: dueIn(30),
        subs: [{ title, owner: school.staff.userId, dept, due_at: dueIn(20) }],
      } as never,
    }),
  '1 个客户': (dept_id, name) => admin.ask(customers.add, { body: { name, dept_id } as never }),
  '1 枚印章': (dept_id, name) =>
    admin.ask(sealCalls.addStamp, {
      body: {
        name,
        stamp_no: name,
        type: 6,
        dept_id,
        keeper: keeper.username,
        supervisor: school.head.username,
      } as never,
    }),
  '1 个归口管理的合同类别': (manage_dept, name) =>
    admin.ask(contractCategories.add, { body: { name, code: `D${manage_dept}`, manage_dept } as never }),
};

test.each(Object.entries(hung))('a department with %s is not deleted', async (words, make) => {
  const dept = await school.office.dept();
  expect(await make(dept, `留${dept}`)).toMatchObject({ code: 0 });
  const answer = await removed(dept);
  expect(answer).toMatchObject({ code: -1, msg: expect.stringContaining(words) });
  expect(answer.msg).toContain('请先移走后再删除');
});

test.each(Object.entries(hung))('nothing new can be attached to a deleted department: %s', async (words, make) => {
  const name = `撤销处${Object.keys(hung).indexOf(words)}`;
  const dept = await school.office.dept(name);
  expect(await removed(dept)).toMatchObject({ code: 0 });
  expect(await make(dept, `新${dept}`)).toMatchObject({ code: -1, msg: expect.stringContaining(`“${name}”已删除`) });
});

test('of deleting a department and attaching something to it at the same moment one is refused', async () => {
  const seller = await school.office.clerk(everything);
  for (let round = 0; round < 6; round += 1) {
    const dept_id = await school.office.dept();
    const [gone, ...made] = await Promise.all([
      removed(dept_id),
      ...[1, 2, 3].map((no) => seller.ask(customers.add, { body: { name: `抢${dept_id}之${no}`, dept_id } as never })),
    ]);
    expect(
      made.every((one) => (one.code === 0) !== (gone.code === 0)),
      JSON.stringify([gone, made]),
    ).toBe(true);
  }
});

/** Tables that only record facts: logs, ledgers, sent items, ballots, changes of records. */
const writtenDown = [
  'activity_change',
  'document_dist',
  'document_dist_user',
  'document_notice',
  'duty_change',
  'leader_change',
  'meet_change',
  'meet_decision',
  'sms_batch',
  'sms_log',
  'stamp_use',
  'supervise_sheet',
];

test('every table with a department is protected from deleted ones, except those that only record history', async () => {
  const { rows } = await school.office.db.execute<{ said: string }>(sql`
    select c.conrelid::regclass || '.' || a.attname said from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'dept'::regclass and c.conrelid <> 'dept'::regclass
      and not exists (select from pg_trigger t where t.tgrelid = c.conrelid and t.tgfoid = 'dept_is_there'::regproc
        and encode(t.tgargs, 'escape') = a.attname || '\\000')
    order by 1`);
  expect(rows.map((row) => row.said.split('.')[0]!).filter((table) => !writtenDown.includes(table))).toEqual([]);
});
