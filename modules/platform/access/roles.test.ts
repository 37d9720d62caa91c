import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { access } from './contract.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const pageOf = async (component: string) =>
  (await app.admin.get(access.menus)).find((menu) => menu.component === component)!;
const buttonOf = async (component: string, code: string) => {
  const { id: menu } = await pageOf(component);
  return (await app.admin.get(access.menuButtons, { query: { menu } })).find((row) => row.code === code)!.id;
};

test('a role keeps its menus, buttons and departments, and returns them with the number of its members', async () => {
  const dept = await app.dept();
  const menus = [(await pageOf('system/role')).id];
  const buttons = [await buttonOf('system/role', 'Retrieve')];
  const body = { name: '查阅', code: 'reader', data_scope: 2, scope_depts: [dept, dept], menus, buttons };
  const { id } = await app.admin.get(access.addRole, { body });
  await app.person({ roles: ['reader'] });
  const role = await app.admin.get(access.role, { params: { id: id! } });
  expect(role).toMatchObject({ name: '查阅', scope_depts: [dept], menus, buttons, users: 1, is_system: false });
  expect(role.actions).toEqual(['update']);
});

test('PATCH and PUT of a role save the fields sent and leave the rest', async () => {
  const menus = [(await pageOf('system/menu')).id];
  const { id } = await app.admin.get(access.addRole, { body: { name: '部分', code: 'partial', menus } });
  const params = { id: id! };
  await app.admin.get(access.changeRole, { params, body: { name: '部分二', version: 0 } });
  await app.admin.get(access.saveRole, { params, body: { description: '说明', version: 1 } });
  expect(await app.admin.get(access.role, { params })).toMatchObject({ name: '部分二', description: '说明', menus });
  const late = await app.admin.ask(access.saveRole, { params, body: { name: '晚到', version: 1 } });
  expect(late).toMatchObject({ code: 4011, data: { current: { name: '部分二', menus } } });
});

test('the list finds a role by name, pinyin and code', async () => {
  const find = async (search_value: string) =>
    (await app.admin.get(access.roles, { query: { search_value } })).value.map((role) => role.code);
  expect(await find('合同管理')).toContain('contract_manager');
  expect(await find('contract_manager')).toEqual(['contract_manager']);
});

test('role names and role codes are unique', async () => {
  const refused = [
    await app.admin.ask(access.addRole, { body: { name: '秘书', code: 'another' } }),
    await app.admin.ask(access.addRole, { body: { name: '另一个', code: 'secretary' } }),
  ];
  expect(refused.map((answer) => answer.code)).toEqual([-1, -1]);
  expect(refused.map((answer) => answer.msg)).toEqual([
    expect.stringContaining('秘书'),
    expect.stringContaining('secretary'),
  ]);
});

test('a role with members is not deleted and says how many; one without is deleted; a system role never is', async () => {
  const { id } = await app.admin.get(access.addRole, { body: { name: '临时', code: 'temporary' } });
  const params = { id: id! };
  await app.person({ roles: ['temporary'] });
  expect(await app.admin.ask(access.removeRole, { params })).toMatchObject({
    code: -1,
    msg: expect.stringContaining('1 名成员'),
  });
  const { id: empty } = await app.admin.get(access.addRole, { body: { name: '空', code: 'empty' } });
  await app.admin.get(access.removeRole, { params: { id: empty! } });
  const [legal] = (await app.admin.get(access.roles, { query: { search_value: 'legal' } })).value;
  expect(await app.admin.ask(access.removeRole, { params: { id: legal!.id } })).toMatchObject({ code: -1 });
});

test('a scope of chosen departments must name at least one existing department', async () => {
  const body = { name: '无部门', code: 'nodept', data_scope: 2 };
  expect(await app.admin.ask(access.addRole, { body })).toMatchObject({ code: 4000 });
  expect(await app.admin.ask(access.addRole, { body: { ...body, scope_depts: [999_999] } })).toMatchObject({
    code: -1,
    msg: '指定部门中有不存在的部门，请刷新后重新选择',
  });
});

test('unknown menus and buttons in a role are refused', async () => {
  const body = { name: '虚', code: 'unreal', menus: [999_999] };
  expect(await app.admin.ask(access.addRole, { body })).toMatchObject({ code: -1 });
  expect(await app.admin.ask(access.addRole, { body: { ...body, menus: [], buttons: [999_999] } })).toMatchObject({
    code: -1,
  });
});

test('a permission removed from a role is lost by its members with their next request', async () => {
  const button = await buttonOf('system/role', 'Retrieve');
  const { id } = await app.admin.get(access.addRole, { body: { name: '即时', code: 'prompt', buttons: [button] } });
  const clerk = await app.signIn(await app.person({ roles: ['prompt'] }));
  expect((await clerk.ask(access.roles)).code).toBe(0);
  await app.admin.get(access.changeRole, { params: { id: id! }, body: { buttons: [] } });
  await expect.poll(async () => (await clerk.ask(access.roles)).code, { timeout: 5000, interval: 20 }).toBe(4003);
});

test('everybody reads their own combined permissions; other roles are read with the permission for roles', async () => {
  const [legal] = (await app.admin.get(access.roles, { query: { search_value: 'legal' } })).value;
  const clerk = await app.clerk({ 'system/menu': ['Retrieve'] });
  const mine = await clerk.get(access.roleMenus);
  expect(mine.buttons).toContain(await buttonOf('system/menu', 'Retrieve'));
  const query = { role_id: legal!.id };
  expect((await clerk.ask(access.roleMenus, { query })).code).toBe(4003);
  expect((await (await app.clerk({ 'system/role': ['Retrieve'] })).ask(access.roleMenus, { query })).code).toBe(0);
});

test('role options are served at both of their paths', async () => {
  const clerk = await app.clerk({});
  const options = await clerk.get(access.simpleRoles);
  expect(options.map((role) => role.code)).toContain('secretary');
  const alias = await clerk.fetch('/api/accounts/simple_roles/');
  expect(((await alias.json()) as { data: unknown }).data).toEqual(options);
});

test('the log names what a role permitted before and after a change', async () => {
  const { id } = await app.admin.get(access.addRole, { body: { name: '留痕', code: 'traced' } });
  const buttons = [await buttonOf('system/menu', 'Update')];
  await app.admin.get(access.changeRole, { params: { id: id! }, body: { buttons, data_scope: 1 } });
  const [entry] = await app.db
    .select()
    .from(logTable)
    .where(eq(logTable.object_id, String(id)))
    .orderBy(desc(logTable.id))
    .limit(1);
  expect(entry?.diff[0]?.fields).toEqual([
    { field: '数据范围', before: '仅本人', after: '全部数据' },
    { field: '按钮', before: '', after: '菜单管理 - 编辑' },
  ]);
});
