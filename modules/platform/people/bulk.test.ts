import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { superAccount, bulk, partsLeft, type BulkChange } from './contract/users/bulk.ts';
import { users } from './contract/users.ts';
import { deptPersonTable } from './tables.ts';

let app: TestOffice;
let here: number;
let there: number;
let manager: Client;
const grants = { 'system/user': ['Create', 'Retrieve', 'Update', 'Delete'], 'system/role': ['Retrieve'] } as never;
beforeAll(async () => {
  app = await openTestApp();
  here = await app.dept('总务处');
  there = await app.dept('维修科', here);
  manager = await app.clerk(grants, { dept: here, dataScope: 4 });
});
afterAll(() => app.close());

const preview = async (by: Client, ids: number[], change: BulkChange) =>
  (await by.get(bulk.preview, { body: { ids, change } })).value;
const apply = (by: Client, ids: number[], change: BulkChange) => by.ask(bulk.apply, { body: { ids, change } });
const row = async (id: number) =>
  (await app.admin.get(users.list, { query: { per_page: 100 } })).value.find((one) => one.id === id)!;
const roleOf = async (code: string) =>
  (await app.db.select({ id: roleTable.id, name: roleTable.name }).from(roleTable).where(eq(roleTable.code, code)))[0]!;

test('many people are moved at once after a preview without changes, with a log entry for each', async () => {
  const people = [
    await app.person({ dept: here }),
    await app.person({ dept: here }),
    await app.person({ dept: there }),
  ];
  const ids = people.map((one) => one.id);
  const change = { what: 'move', dept: there } as const;
  const shown = await preview(manager, ids, change);
  expect(shown.map(({ alias, before, after, why }) => [alias, before, after, why])).toEqual([
    [people[0]!.alias, '总务处', '维修科', ''],
    [people[1]!.alias, '总务处', '维修科', ''],
    [people[2]!.alias, '维修科', '', `“${people[2]!.alias}”已经是这样，无需修改`],
  ]);
  expect(await row(ids[0]!)).toMatchObject({ dept: here });
  const refused = await apply(manager, ids, change);
  expect(refused).toMatchObject({ code: -1, msg: expect.stringContaining(`没有修改任何人：“${people[2]!.alias}”`) });
  expect(await row(ids[0]!), 'all or nothing').toMatchObject({ dept: here });
  expect(await apply(manager, ids.slice(0, 2), change)).toMatchObject({ code: 0, msg: '已修改 2 人' });
  expect(await row(ids[1]!)).toMatchObject({ dept: there });
  const { value } = await app.admin.get(audit.list, { query: { action: '批量修改用户' } });
  expect(value.map((one) => [one.object_id, one.diff[0]!.fields])).toEqual(
    [ids[1], ids[0]].map((id) => [String(id), [{ field: '部门', before: '总务处', after: '维修科' }]]),
  );
});

test('a bulk change respects the limits of a single one: oneself, scope, rights and roles beyond one’s own', async () => {
  const plain = await app.person({ dept: here });
  const outside = await app.person({ dept: await app.dept() });
  const higher = await app.clerk({ 'system/site': ['Update'] }, { dept: here });
  const ids = [plain.id, outside.id, higher.userId, manager.userId];
  const byId = new Map((await preview(manager, ids, { what: 'disable' })).map((one) => [one.id, one]));
  expect(byId.get(plain.id)).toMatchObject({ before: '启用', after: '停用', why: '' });
  expect(byId.get(outside.id)).toMatchObject({ alias: '', why: expect.stringContaining('不存在') });
  expect(byId.get(higher.userId)!.why).toContain('权限超出您的权限');
  expect(byId.get(manager.userId)!.why).toContain('不能停用自己');
  const superRole = await roleOf('super_admin');
  const [given] = await preview(manager, [plain.id], { what: 'give', roles: [superRole.id] });
  expect(given!.why).toContain(`角色“${superRole.name}”含有您没有的权限`);
  expect((await apply(manager, [plain.id], { what: 'give', roles: [superRole.id] })).code).toBe(-1);
  expect((await row(plain.id)).roles).toEqual([]);
  const reader = await app.clerk({ 'system/user': ['Retrieve'] }, { dept: here });
  expect((await reader.ask(bulk.preview, { body: { ids: [plain.id], change: { what: 'disable' } } })).code).toBe(4003);
});

test('a person with open work is not deactivated in bulk, and the answer leads to the hand-over', async () => {
  const head = await app.person({ dept: here });
  const free = await app.person({ dept: here });
  await app.services.databases.write((tx) =>
    tx.insert(deptPersonTable).values({ dept_id: here, user_id: head.id, part: 'leader' }),
  );
  const shown = await preview(app.admin, [head.id, free.id], { what: 'disable' });
  expect(shown).toMatchObject([
    { id: head.id, holds: true, why: `“${head.alias}”名下还有 1 项事项，请先“移交事项”，再停用` },
    { id: free.id, holds: false, why: '' },
  ]);
  const signedIn = await app.signIn(free);
  expect((await apply(app.admin, [free.id], { what: 'disable' })).code).toBe(0);
  expect((await signedIn.ask(accounts.me)).code).toBe(401);
});

test('people are not moved out of a department in which they have a function, nor are accounts of super administrators changed in bulk', async () => {
  const head = await app.person({ dept: here });
  const elsewhere = await app.person({ dept: there });
  await app.services.databases.write((tx) =>
    tx.insert(deptPersonTable).values([
      { dept_id: here, user_id: head.id, part: 'approver' },
      { dept_id: here, user_id: elsewhere.id, part: 'secretary' },
    ]),
  );
  const away = await app.dept('新校区');
  const chief = await app.signIn(await app.person({ roles: ['super_admin'] }));
  const ids = [head.id, elsewhere.id, app.admin.userId];
  const shown = new Map((await preview(chief, ids, { what: 'move', dept: away })).map((one) => [one.id, one]));
  expect(shown.get(head.id)).toMatchObject({ why: partsLeft(head.alias, '总务处', '审批人').message, holds: true });
  // The function is in a department that they do not leave.
  expect(shown.get(elsewhere.id)).toMatchObject({ why: '', after: '新校区' });
  expect(shown.get(app.admin.userId)!.why).toContain('的用户类型是超级管理员，不能批量修改');
  const [closed] = await preview(chief, [app.admin.userId], { what: 'disable' });
  expect(closed!.why).toBe(superAccount(closed!.alias).message);
  expect(await apply(chief, [head.id], { what: 'move', dept: away })).toMatchObject({ code: -1 });
  expect((await row(head.id)).dept).toBe(here);
});

test('roles are granted to many people, withdrawn from many, and copied from a person', async () => {
  const [staff, reception] = [await roleOf('staff'), await roleOf('order_handler')];
  const pattern = await app.person({ dept: here, roles: ['staff', 'order_handler'] });
  const people = [await app.person({ dept: here, roles: ['staff'] }), await app.person({ dept: here })];
  const ids = people.map((one) => one.id);
  const names = async (id: number) => (await row(id)).roles.map((role) => role.name).toSorted();
  expect(await apply(app.admin, ids, { what: 'copy', from: pattern.id })).toMatchObject({ code: 0 });
  for (const id of ids) expect(await names(id)).toEqual([staff.name, reception.name].toSorted());
  expect(await apply(app.admin, ids, { what: 'take', roles: [reception.id] })).toMatchObject({ code: 0 });
  for (const id of ids) expect(await names(id)).toEqual([staff.name]);
  const [first] = await preview(app.admin, [ids[0]!], { what: 'give', roles: [reception.id] });
  expect(first).toMatchObject({ before: staff.name, why: '' });
  expect(await app.admin.ask(bulk.preview, { body: { ids, change: { what: 'copy', from: 999_999 } } })).toMatchObject({
    code: -1,
    msg: expect.stringContaining('来源用户不存在'),
  });
});

test('at most fifty people are changed at once', async () => {
  const ids = Array.from({ length: 51 }, (_, at) => at + 1);
  expect(await apply(app.admin, ids, { what: 'disable' })).toMatchObject({
    code: 4000,
    msg: expect.stringContaining('一次最多 50 人'),
  });
});
