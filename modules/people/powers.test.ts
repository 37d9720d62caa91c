import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { depts } from './contract/depts.ts';
import { actsForBeyond, headedBeyond, notOneself, partBeyond, postAsked, rightsBeyond } from './contract/refusals.ts';
import { users } from './contract/users.ts';

// An administrator of one department, whose head has more rights; and another department of which a colleague is head.
let app: TestOffice;
let admin: Client;
let dept: number;
let elsewhere: number;
type Person = Awaited<ReturnType<TestOffice['person']>>;
let colleague: Person;
let chief: Person;
beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('人事处');
  elsewhere = await app.dept('维修科');
  const whole = ['Retrieve', 'Create', 'Update', 'Delete'] as ('Retrieve' | 'Update')[];
  admin = await app.clerk({ 'system/user': whole, 'system/dept': whole }, { dept, dataScope: 3 });
  chief = await app.person({ alias: '处长', dept, roles: [await app.role({ 'system/role': ['Retrieve', 'Update'] })] });
  colleague = await app.person({ alias: '副处长', dept });
  await write(sql`insert into dept_person (dept_id, user_id, part) values (${dept}, ${chief.id}, 'leader')`);
});
afterAll(() => app.close());

const write = (text: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(text));
const reset = (id: number) => admin.ask(users.resetPassword, { params: { id } });
const update = (id: number, body: object) => admin.ask(users.update, { params: { id }, body: body as never });
const change = (body: object) => admin.ask(depts.update, { params: { id: dept }, body: body as never });

test('nobody signs in as somebody who heads a department they could name no head for, nor as such a one’s secretary', async () => {
  const head = await app.person({ alias: '兼职负责人', dept });
  expect((await reset(head.id)).code).toBe(0);
  await write(sql`insert into dept_person (dept_id, user_id, part) values (${elsewhere}, ${head.id}, 'leader')`);
  expect(await reset(head.id)).toRefuse(rightsBeyond, '兼职负责人');
  const secretary = await app.person({ alias: '秘书', dept });
  await write(sql`insert into secretary (secretary_id, leader_id) values (${secretary.id}, ${head.id})`);
  expect(await reset(secretary.id)).toRefuse(actsForBeyond, '秘书', '兼职负责人');
});

test('nobody takes over the account or the number of somebody who was named for a workflow they do not administer', async () => {
  const named = await app.person({ alias: '流程干预人', dept });
  await write(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
    select min(id), 'intervene', 'user', ${String(named.id)} from workflow where not is_deleted`);
  expect(await reset(named.id)).toRefuse(rightsBeyond, '流程干预人');
  expect(await update(named.id, { phone: '13900001234' })).toRefuse(rightsBeyond, '流程干预人');
  expect((await update(named.id, { office_room: '301' })).code).toBe(0);
  expect((await app.admin.ask(users.resetPassword, { params: { id: named.id } })).code).toBe(0);
});

test('a post by which a workflow finds people is given by those who administer the workflow; nobody gives themselves any', async () => {
  expect(await update(admin.userId, { post: '科员' })).toRefuse(notOneself, '修改自己的职务');
  expect((await update(colleague.id, { post: '科员' })).code).toBe(0);
  await write(sql`update workflow_version set definition = jsonb_set(definition, '{states,1,participants}',
    '[{"type": 15, "posts": ["校长"]}]') where id = (select min(id) from workflow_version where status = 'draft')`);
  // What is only being drawn finds nobody yet.
  expect((await update(colleague.id, { post: '校长' })).code).toBe(0);
  expect((await update(colleague.id, { post: '科员' })).code).toBe(0);
  const asking = JSON.stringify({ states: [{ participants: [{ type: 15, posts: ['校长'] }] }] });
  await write(sql`insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
    select min(id), 999, 'retired', ${asking}::jsonb, repeat('0', 64), now() from workflow where not is_deleted`);
  expect(await update(colleague.id, { post: '校长' })).toRefuse(postAsked, '校长');
  const newcomer = { username: 'newcomer', alias: '新来的', dept, post: '校长' };
  expect(await admin.ask(users.create, { body: newcomer as never })).toRefuse(postAsked, '校长');
  const { code } = await app.admin.ask(users.update, { params: { id: colleague.id }, body: { post: '校长' } as never });
  expect(code).toBe(0);
  expect(await update(colleague.id, { post: '' })).toRefuse(postAsked, '校长');
});

test('an administrator of their own department chooses nobody who signs for it beyond those they administer, and does not switch it off', async () => {
  expect(await change({ leader: colleague.username })).toRefuse(partBeyond, '处长', '负责人');
  expect(await change({ leader: '' })).toRefuse(partBeyond, '处长', '负责人');
  expect(await change({ status: false })).toRefuse(headedBeyond, '处长');
  const vice = await app.person({ alias: '副校长', dept: elsewhere });
  expect(await change({ dept_ld: vice.username })).toRefuse(partBeyond, '副校长', '分管领导');
  expect((await change({ secretary: [colleague.username] })).code).toBe(0);
  expect((await change({ phone: '0591-1' })).code).toBe(0);
  expect(
    (await app.admin.ask(depts.update, { params: { id: dept }, body: { leader: colleague.username } as never })).code,
  ).toBe(0);
});
