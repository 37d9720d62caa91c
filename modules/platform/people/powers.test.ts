import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { groupAsked } from '#modules/workflow/workflows/contract/refusals.ts';
import { userGroups } from '#modules/workflow/workflows/contract/groups.ts';
import { depts, placeGives } from './contract/depts.ts';
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

test('nobody takes over the account of a department head, or of their secretary, whom they could not appoint', async () => {
  const head = await app.person({ alias: '兼职负责人', dept });
  expect((await reset(head.id)).code).toBe(0);
  await write(sql`insert into dept_person (dept_id, user_id, part) values (${elsewhere}, ${head.id}, 'leader')`);
  expect(await reset(head.id)).toRefuse(rightsBeyond, '兼职负责人');
  const secretary = await app.person({ alias: '秘书', dept });
  await write(sql`insert into secretary (secretary_id, leader_id) values (${secretary.id}, ${head.id})`);
  expect(await reset(secretary.id)).toRefuse(actsForBeyond, '秘书', '兼职负责人');
});

test('nobody takes over the account or number of a person named for a workflow they do not administer', async () => {
  const named = await app.person({ alias: '流程干预人', dept });
  await write(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
    select min(id), 'intervene', 'user', ${String(named.id)} from workflow where not is_deleted`);
  expect(await reset(named.id)).toRefuse(rightsBeyond, '流程干预人');
  expect(await update(named.id, { phone: '13900001234' })).toRefuse(rightsBeyond, '流程干预人');
  expect((await update(named.id, { office_room: '301' })).code).toBe(0);
  expect((await app.admin.ask(users.resetPassword, { params: { id: named.id } })).code).toBe(0);
});

test('a post by which a workflow finds people is set by its administrators, and by nobody for themselves', async () => {
  expect(await update(admin.userId, { post: '科员' })).toRefuse(notOneself, '修改自己的职务');
  expect((await update(colleague.id, { post: '科员' })).code).toBe(0);
  await write(sql`update workflow_version set definition = jsonb_set(definition, '{states,1,participants}',
    '[{"type": 15, "posts": ["校长"]}]') where id = (select min(id) from workflow_version where status = 'draft')`);
  // A draft finds nobody yet.
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

test('an administrator of a department cannot appoint an approver from outside their people or disable the department', async () => {
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

const asked = async (no: number, participants: readonly object[]) => {
  const definition = JSON.stringify({ states: [{ participants }] });
  await write(sql`insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
    select min(id), ${no}, 'retired', ${definition}::jsonb, repeat('0', 64), now() from workflow where not is_deleted`);
};
const groups = ['Retrieve', 'Create', 'Update', 'Delete'] as ('Retrieve' | 'Update')[];

test('a user group asked by a workflow is changed by its own people and the workflow’s administrators, its name by group keepers', async () => {
  const inside = await app.clerk({ 'workflow/group': groups }, { alias: '组员' });
  const outside = await app.clerk({ 'workflow/group': groups }, { alias: '组外' });
  const flows = await app.clerk({ 'workflow/group': groups, 'workflow/list': ['Retrieve', 'Update'] });
  const one = { name: '会签组', people: [inside.userId, colleague.id] };
  const { id } = await app.admin.get(userGroups.add, { body: one });
  const list = (by: Client, people: number[]) => by.ask(userGroups.change, { params: { id }, body: { people } });
  // Nobody is found by it yet.
  expect((await list(outside, [inside.userId])).code).toBe(0);
  expect((await list(outside, one.people)).code).toBe(0);
  await asked(998, [{ type: 16, groups: [id] }]);
  expect(await list(outside, [...one.people, outside.userId])).toRefuse(groupAsked, '会签组');
  expect(await list(outside, [inside.userId])).toRefuse(groupAsked, '会签组');
  expect(await outside.ask(userGroups.remove, { params: { id } })).toRefuse(groupAsked, '会签组');
  expect((await list(outside, one.people.toReversed())).code).toBe(0);
  const named = { params: { id }, body: { name: '会签小组', note: '每周四' } };
  expect((await outside.ask(userGroups.change, named)).code).toBe(0);
  expect((await list(inside, [inside.userId, colleague.id, chief.id])).code).toBe(0);
  expect((await list(flows, [inside.userId])).code).toBe(0);
});

test('nobody takes over the account of a person whom another’s workflow asks by name or user group', async () => {
  const [byName, byGroup] = [await app.person({ alias: '点名的', dept }), await app.person({ alias: '组里的', dept })];
  const { id } = await app.admin.get(userGroups.add, { body: { name: '复核组', people: [byGroup.id] } });
  expect((await reset(byName.id)).code).toBe(0);
  expect((await reset(byGroup.id)).code).toBe(0);
  await asked(997, [
    { type: 1, user: byName.id },
    { type: 16, groups: [id] },
  ]);
  expect(await reset(byName.id)).toRefuse(rightsBeyond, '点名的');
  expect(await reset(byGroup.id)).toRefuse(rightsBeyond, '组里的');
});

describe('a department is not moved to a place where', () => {
  const moved = (by: Client, id: number, parent: number) => by.ask(depts.move, { params: { id }, body: { parent } });
  /** Changes every department, and the people of one. */
  const mover = async (own: number, more: string[] = []) => {
    const page = (name: string) => ({ [name]: ['Retrieve', 'Update'] as ('Retrieve' | 'Update')[] });
    const roles = [await app.role(page('system/dept'), 1), await app.role(page('system/user'), 3), ...more];
    return app.signIn(await app.person({ alias: '调整人', dept: own, roles }));
  };

  test('its people would belong to departments to which the mover cannot add people', async () => {
    const [own, above] = [await app.dept('校友科'), await app.dept('校友总会')];
    const by = await mover(own);
    expect(await moved(by, own, above)).toRefuse(placeGives, '校友科', '调整人');
    expect((await moved(by, await app.dept('无人科'), above)).code).toBe(0);
    expect((await moved(app.admin, own, above)).code).toBe(0);
  });

  test('an account that the mover controls would reach more than the mover may grant', async () => {
    const [own, other] = [await app.dept('信息处'), await app.dept('网络科')];
    const [narrow, wide] = [3, 4].map((scope) => app.role({ 'document/list': ['Retrieve'] }, scope));
    const by = await mover(own, [await narrow!]);
    const account = await app.person({ alias: '她管的账号', dept: own, roles: [await wide!] });
    expect(await moved(by, other, own)).toRefuse(placeGives, '网络科', '她管的账号');
    await write(sql`delete from user_role where user_id = ${account.id}`);
    expect((await moved(by, other, own)).code).toBe(0);
  });

  test('the mover would sign for it, or choose who signs for the mover', async () => {
    const [own, other, headed] = [await app.dept('基建处一'), await app.dept('维修组一'), await app.dept('后勤处一')];
    const by = await mover(own);
    await write(sql`insert into dept_person (dept_id, user_id, part) values (${headed}, ${by.userId}, 'leader')`);
    expect(await moved(by, other, headed)).toRefuse(notOneself, '把部门移到自己担任负责人的部门之下');
    const [section, bureau] = [await app.dept('文书科', own), await app.dept('综合科', own)];
    const whole = ['Retrieve', 'Update'] as ('Retrieve' | 'Update')[];
    const clerk = await app.person({
      dept: own,
      roles: [await app.role({ 'system/dept': whole, 'system/user': whole }, 4)],
    });
    await write(sql`insert into user_dept (user_id, dept_id) values (${clerk.id}, ${section})`);
    const head = await app.person({
      alias: '综合科长',
      dept: bureau,
      roles: [await app.role({ 'system/log': ['Retrieve'] })],
    });
    await write(sql`insert into dept_person (dept_id, user_id, part) values (${bureau}, ${head.id}, 'leader')`);
    const inside = await app.signIn(clerk);
    expect(await moved(inside, section, bureau)).toRefuse(partBeyond, '综合科长', '负责人');
    expect((await moved(inside, bureau, section)).code).toBe(0);
  });
});
