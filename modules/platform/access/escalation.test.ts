import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { access, buttonCalls } from './contract.ts';
import { roleTable } from './tables.ts';

let app: TestOffice;
let own: number;
let below: number;
let other: number;
/** Administers roles for one department and those below it, and may read menus there. */
let delegate: Client;
beforeAll(async () => {
  app = await openTestApp();
  own = await app.dept('本部');
  below = await app.dept('下级', own);
  other = await app.dept('外部');
  delegate = await app.clerk(
    { 'system/role': ['Create', 'Retrieve', 'Update', 'Delete'], 'system/menu': ['Retrieve'] },
    { dept: own, dataScope: 4 },
  );
});
afterAll(() => app.close());

const page = async (component: string) =>
  (await app.admin.get(access.menus)).find((menu) => menu.component === component)!.id;
const button = async (component: string, code: string) => {
  const menu = await page(component);
  return (await app.admin.get(access.menuButtons, { query: { menu } })).find((row) => row.code === code)!.id;
};
let serial = 0;
const made = async (by: Client, more: object = {}) => {
  serial += 1;
  const body = { name: `授权${serial}`, code: `given${serial}`, ...more };
  return by.ask(access.addRole, { body });
};
const change = (by: Client, id: number, body: object) => by.ask(access.changeRole, { params: { id }, body });

test('a delegate grants codes that they hold, within their own scope', async () => {
  const buttons = [await button('system/menu', 'Retrieve')];
  const role = await made(delegate, { data_scope: 4, menus: [await page('system/menu')], buttons });
  expect(role.code).toBe(0);
  const detail = await delegate.get(access.role, { params: { id: role.data.id! } });
  expect(detail.actions).toEqual(['update', 'delete']);
  expect((await made(delegate, { data_scope: 2, scope_depts: [own, below], buttons })).code).toBe(0);
});

test('a delegate cannot grant a code they do not hold', async () => {
  const buttons = [await button('system/menu', 'Delete')];
  expect(await made(delegate, { buttons })).toMatchObject({
    code: 4003,
    msg: expect.stringContaining('菜单管理 - 删除'),
  });
  const role = await made(delegate);
  expect((await change(delegate, role.data.id!, { buttons })).code).toBe(4003);
  expect((await app.admin.get(access.role, { params: { id: role.data.id! } })).buttons).toEqual([]);
});

test('a delegate cannot grant a menu they do not see', async () => {
  expect((await made(delegate, { menus: [await page('system/button')] })).code).toBe(4003);
});

test('a delegate cannot grant a wider scope than their own', async () => {
  const buttons = [await button('system/menu', 'Retrieve')];
  expect((await made(delegate, { data_scope: 1 })).code).toBe(4003);
  expect((await made(delegate, { data_scope: 1, buttons })).code).toBe(4003);
  expect((await made(delegate, { data_scope: 2, scope_depts: [own, other], buttons })).code).toBe(4003);
});

test('the scope of another grant does not widen a code', async () => {
  const person = await app.person({
    dept: own,
    roles: [
      await app.role({ 'system/role': ['Create', 'Retrieve', 'Update'] }, 1),
      await app.role({ 'system/menu': ['Retrieve'] }, 5),
    ],
  });
  const clerk = await app.signIn(person);
  const buttons = [await button('system/menu', 'Retrieve')];
  expect((await made(clerk, { data_scope: 1, buttons })).code).toBe(4003);
  expect((await made(clerk, { data_scope: 5, buttons })).code).toBe(0);
});

test('a relative scope is not widened by a delegate if the role has members outside their reach', async () => {
  const buttons = [await button('system/menu', 'Retrieve')];
  const role = await made(app.admin, { name: '有外部成员', code: 'outside', data_scope: 5, buttons });
  await app.person({ dept: other, roles: ['outside'] });
  expect((await change(delegate, role.data.id!, { data_scope: 3 })).code).toBe(4003);
  expect((await change(delegate, role.data.id!, { description: '可以' })).code).toBe(0);
});

test('a delegate cannot change a role they hold themselves, not even its name', async () => {
  const roles = (await app.admin.get(access.roles, { query: { per_page: 100 } })).value;
  const mine = roles.find((role) => role.name === '角色1')!;
  expect(await change(delegate, mine.id, { name: '我的' })).toMatchObject({
    code: 4003,
    msg: expect.stringContaining('自己'),
  });
  expect((await delegate.ask(access.removeRole, { params: { id: mine.id } })).code).toBe(4003);
});

test('a delegate cannot change, reduce or delete a role that grants more than they hold', async () => {
  const buttons = [await button('system/button', 'Delete')];
  const { data } = await made(app.admin, { buttons });
  expect((await change(delegate, data.id!, { buttons: [] })).code).toBe(4003);
  expect((await change(delegate, data.id!, { name: '改名' })).code).toBe(4003);
  expect((await delegate.ask(access.removeRole, { params: { id: data.id! } })).code).toBe(4003);
  expect((await delegate.get(access.role, { params: { id: data.id! } })).actions).toEqual([]);
});

test('system roles, including the one that everybody has, are changed by super administrators only', async () => {
  const system = await app.db.select().from(roleTable).where(eq(roleTable.is_system, true));
  for (const role of system) expect((await change(delegate, role.id, { description: '改' })).code).toBe(4003);
  const everybody = system.find((role) => role.code === 'reception')!;
  expect((await change(app.admin, everybody.id, { description: '人人都有' })).code).toBe(0);
});

test('no request can turn a role into a system role or change its code', async () => {
  const { data } = await made(app.admin);
  await change(app.admin, data.id!, { is_system: true, system: true, code: 'super_admin', id: 1, users: 0 });
  const [row] = await app.db.select().from(roleTable).where(eq(roleTable.id, data.id!));
  expect(row).toMatchObject({ is_system: false, code: expect.stringMatching(/^given/) });
});

test('a role cannot be created under the code of the super administrators', async () => {
  expect((await made(delegate, { code: 'super_admin' })).code).toBe(-1);
});

test('roles and menus are changed only by people with the permission for it', async () => {
  const clerk = await app.clerk({ 'system/role': ['Retrieve'] });
  const params = { id: 1 };
  const answers = [
    await clerk.ask(access.addRole, { body: { name: '甲', code: 'aaa' } }),
    await clerk.ask(access.changeRole, { params, body: { name: '甲' } }),
    await clerk.ask(access.saveRole, { params, body: { name: '甲' } }),
    await clerk.ask(access.removeRole, { params }),
    await clerk.ask(access.addMenu, { body: { name: '甲', web_path: '/a' } }),
    await clerk.ask(access.changeMenu, { params, body: { name: '甲' } }),
    await clerk.ask(access.removeMenu, { params }),
    await clerk.ask(buttonCalls.add, { body: { name: '甲', code: 'Create' } }),
    await clerk.ask(buttonCalls.change, { params, body: { name: '甲' } }),
    await clerk.ask(buttonCalls.remove, { params }),
    await clerk.ask(access.addMenuButton, { body: { menu: 1, button: 1 } }),
    await clerk.ask(access.changeMenuButton, { params, body: { name: '甲' } }),
    await clerk.ask(access.removeMenuButton, { params }),
  ];
  expect(answers.map((answer) => answer.code)).toEqual(answers.map(() => 4003));
});
