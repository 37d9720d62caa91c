import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { request } from 'undici';
import { seedBase } from '#apps/server/modules.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { access } from './contract.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const menuId = async (component: string) => {
  const found = (await app.admin.get(access.menus)).find((menu) => menu.component === component);
  return found!.id;
};

test('a person gets the permitted menus, the headings above them and the codes held there', async () => {
  const clerk = await app.clerk({ 'system/role': ['Retrieve', 'Create'] });
  const mine = await clerk.get(access.webRouter, { query: { is_mobile: '0' } });
  const role = mine.find((item) => item.component === 'system/role');
  expect(role?.menuPermission.toSorted()).toEqual(['Create', 'Retrieve']);
  expect(mine.find((item) => item.id === role?.parent)).toMatchObject({ name: '系统管理', component: '' });
  expect(mine.map((item) => item.component)).not.toContain('system/menu');
});

test('a menu item has the fields of the specification, in one flat list', async () => {
  const mine = await app.admin.get(access.webRouter, { query: { is_mobile: '0' } });
  const fields = ['id', 'parent', 'name', 'web_path', 'component', 'icon', 'visible', 'menuPermission'];
  for (const item of mine) expect(Object.keys(item), item.name).toEqual(expect.arrayContaining(fields));
  expect(mine.find((item) => item.component === 'system/role')).toMatchObject({
    parent: mine.find((item) => item.name === '系统管理')!.id,
    name: '角色管理',
    web_path: 'role',
    icon: expect.stringMatching(/\w/) as string,
    visible: true,
  });
});

test('a super administrator gets every menu with every code it offers', async () => {
  const mine = await app.admin.get(access.webRouter);
  const all = await app.admin.get(access.menus);
  expect(mine.map((item) => item.id)).toEqual(all.map((item) => item.id));
  expect(mine.find((item) => item.component === 'system/menu')?.menuPermission).toHaveLength(4);
});

test('the menu is sent compressed to clients that accept it and uncompressed to others, also when it is short', async () => {
  const ask = async (path: string, encoding: string) => {
    const headers = { authorization: `JWT ${app.admin.token}`, 'accept-encoding': encoding };
    const answer = await request(app.url + path, { headers });
    return { as: answer.headers['content-encoding'], bytes: Buffer.from(await answer.body.arrayBuffer()) };
  };
  const plain = await ask(access.webRouter.path, 'identity');
  const zipped = await ask(access.webRouter.path, 'gzip, br');
  expect([plain.as, zipped.as]).toEqual([undefined, 'gzip']);
  expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 4);
  expect(JSON.parse(gunzipSync(zipped.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
  expect((await ask('/api/no-such-call/', 'gzip, br')).as).toBeUndefined();
});

test('phone menus and desktop menus are separate', async () => {
  await app.admin.get(access.addMenu, { body: { name: '移动页', web_path: '/phone-only', is_mobile: true } });
  const names = async (is_mobile?: '0' | '1') =>
    (await app.admin.get(access.webRouter, { query: { is_mobile } })).map((item) => item.name);
  expect(await names('1')).toEqual(['移动页']);
  expect(await names('0')).not.toContain('移动页');
  expect(await names()).toContain('移动页');
});

test('a menu is added, moved, changed and deleted', async () => {
  const { id: top } = await app.admin.get(access.addMenu, { body: { name: '目录', web_path: '/tree' } });
  const { id } = await app.admin.get(access.addMenu, { body: { name: '页', web_path: 'leaf', parent: top! } });
  await app.admin.get(access.changeMenu, {
    params: { id: id! },
    body: { name: '新页', visible: false, version: 0 },
  });
  const row = (await app.admin.get(access.menus)).find((menu) => menu.id === id);
  expect(row).toMatchObject({ name: '新页', visible: false, parent: top, web_path: 'leaf', version: 1 });
  const blocked = await app.admin.ask(access.removeMenu, { params: { id: top! } });
  expect(blocked).toMatchObject({ code: -1, msg: expect.stringContaining('还有 1 个菜单') });
  await app.admin.get(access.removeMenu, { params: { id: id! } });
  await app.admin.get(access.removeMenu, { params: { id: top! } });
});

test('a menu is dragged before another, and below another, and not below itself', async () => {
  const add = async (name: string) =>
    (await app.admin.get(access.addMenu, { body: { name, web_path: `/${name}` } })).id!;
  const [top, first, second] = [await add('dragged'), await add('first'), await add('second')];
  const move = (id: number, body: object) => app.admin.ask(access.moveMenu, { params: { id }, body });
  for (const id of [first, second]) expect((await move(id, { parent: top })).code).toBe(0);
  const below = async () =>
    (await app.admin.get(access.menus)).filter((menu) => menu.parent === top).map((menu) => menu.id);
  expect(await below()).toEqual([first, second]);
  expect((await move(second, { before: first })).code).toBe(0);
  expect(await below()).toEqual([second, first]);
  expect((await move(top, { parent: second })).code).not.toBe(0);
});

test('a menu is never moved below itself', async () => {
  const { id: a } = await app.admin.get(access.addMenu, { body: { name: '甲', web_path: '/ring-a' } });
  const { id: b } = await app.admin.get(access.addMenu, { body: { name: '乙', web_path: 'ring-b', parent: a! } });
  expect(await app.admin.ask(access.changeMenu, { params: { id: a! }, body: { parent: b! } })).toMatchObject({
    code: -1,
  });
  expect(await app.admin.ask(access.changeMenu, { params: { id: a! }, body: { parent: a! } })).toMatchObject({
    code: -1,
  });
});

test('two menus with the same parent cannot have the same path', async () => {
  const body = { name: '同名', web_path: '/same' };
  await app.admin.get(access.addMenu, { body });
  expect(await app.admin.ask(access.addMenu, { body })).toMatchObject({
    code: -1,
    msg: expect.stringContaining('/same'),
  });
});

test('a script address is refused as the path of a menu', async () => {
  const answer = await app.admin.ask(access.addMenu, { body: { name: '坏', web_path: 'javascript:alert(1)' } });
  expect(answer).toMatchObject({ code: 4000, msg: expect.stringContaining('路径') });
});

test('only a super administrator sets, changes or deletes the page component of a menu', async () => {
  const clerk = await app.clerk({ 'system/menu': ['Create', 'Retrieve', 'Update', 'Delete'] });
  const id = await menuId('system/button');
  const added = await clerk.ask(access.addMenu, { body: { name: '偷', web_path: '/x', component: 'system/user' } });
  const changed = await clerk.ask(access.changeMenu, { params: { id }, body: { component: 'system/role' } });
  const removed = await clerk.ask(access.removeMenu, { params: { id } });
  expect([added.code, changed.code, removed.code]).toEqual([4003, 4003, 4003]);
  expect((await clerk.ask(access.changeMenu, { params: { id }, body: { icon: 'KeyOutlined' } })).code).toBe(0);
});

test('a change based on an outdated menu is refused together with the present one', async () => {
  const id = await menuId('system/menu_button');
  await app.admin.get(access.changeMenu, { params: { id }, body: { order_id: 961, version: 0 } });
  const late = await app.admin.ask(access.changeMenu, { params: { id }, body: { name: '旧', version: 0 } });
  expect(late).toMatchObject({ code: 4011, data: { current: { name: '菜单按钮' } } });
});

test('a menu shipped with the product can be hidden but not deleted', async () => {
  const rows = await app.admin.get(access.menus);
  for (const name of ['按钮管理', '系统管理']) {
    const row = rows.find((menu) => menu.name === name)!;
    expect(row.actions).toEqual(['update']);
    expect(await app.admin.ask(access.removeMenu, { params: { id: row.id } })).toMatchObject({
      code: -1,
      msg: `“${name}”是系统自带的菜单，不能删除；不需要时请编辑它，关掉“在侧栏显示”`,
    });
  }
});

test('a restart neither adds menus again that administrators changed nor restores removed permissions', async () => {
  const rows = await app.admin.get(access.menus);
  const idOf = (name: string) => rows.find((menu) => menu.name === name)!.id;
  const change = (name: string, body: object) => app.admin.get(access.changeMenu, { params: { id: idOf(name) }, body });
  await change('系统管理', { web_path: '/administration', name: '管理' });
  await change('公文办理', { parent: idOf('工单'), web_path: 'papers' });
  await change('发布通知', { component: 'document/list', visible: false });
  const staff = (await app.admin.get(access.simpleRoles)).find((role) => role.code === 'staff')!;
  await app.admin.get(access.saveRole, { params: { id: staff.id }, body: { menus: [], buttons: [] } });
  const kept = async () => ({
    menus: await app.admin.get(access.menus),
    ...(
      await app.db.execute(
        sql`select (select count(*) from role_menu) as seen, (select count(*) from role_menu_button) as held`,
      )
    ).rows[0],
  });
  const before = await kept();
  await app.services.databases.write(seedBase);
  expect(await kept()).toEqual(before);
});
