import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { access, buttonCalls } from './contract.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('the six buttons are there and found by name or code', async () => {
  const all = await app.admin.get(buttonCalls.list, { query: { per_page: 100 } });
  expect(all.value.map((button) => button.code)).toEqual(['Create', 'Retrieve', 'Update', 'Delete', 'chuli', 'daochu']);
  const found = await app.admin.get(buttonCalls.list, { query: { search_value: '导出' } });
  expect(found.value.map((button) => button.code)).toEqual(['daochu']);
  expect((await app.admin.get(buttonCalls.list, { query: { search_value: '%' } })).total).toBe(0);
});

test('a button used by menus is not deleted and says by how many; an unused one is, and can be added again', async () => {
  const { value } = await app.admin.get(buttonCalls.list, { query: { per_page: 100 } });
  const used = value.find((button) => button.code === 'Create')!;
  const refused = await app.admin.ask(buttonCalls.remove, { params: { id: used.id } });
  expect(refused).toMatchObject({ code: -1, msg: expect.stringContaining(`${used.menus} 个菜单`) });
  await app.services.databases.write((tx) =>
    tx.execute(sql`delete from menu_button where button_id = (select id from button where code = 'chuli')`),
  );
  const unused = value.find((button) => button.code === 'chuli')!;
  await app.admin.get(buttonCalls.remove, { params: { id: unused.id } });
  const again = { name: unused.name, code: unused.code };
  await app.admin.get(buttonCalls.add, { body: again });
  expect(await app.admin.ask(buttonCalls.add, { body: again })).toMatchObject({ code: -1 });
});

test('a code beyond the six is refused, and a button keeps its code whatever is sent', async () => {
  const wrong = await app.admin.ask(buttonCalls.add, { body: { name: '坏', code: 'root' as never } });
  expect(wrong.code).toBe(4000);
  const [first] = (await app.admin.get(buttonCalls.list)).value;
  const body = { name: '添加', code: 'Delete' } as { name: string };
  await app.admin.get(buttonCalls.change, { params: { id: first!.id }, body });
  const [after] = (await app.admin.get(buttonCalls.list)).value;
  expect(after).toMatchObject({ name: '添加', code: first!.code, version: first!.version + 1 });
});

test('a menu offers each button once, and a button is removed from it only while no role holds it', async () => {
  const menu = (await app.admin.get(access.menus)).find((row) => row.component === 'system/button')!;
  const button = (await app.admin.get(buttonCalls.list)).value.find((row) => row.code === 'daochu')!;
  const body = { menu: menu.id, button: button.id };
  const { id } = await app.admin.get(access.addMenuButton, { body });
  expect(await app.admin.ask(access.addMenuButton, { body })).toMatchObject({ code: -1 });
  await app.admin.get(access.changeMenuButton, { params: { id: id! }, body: { name: '导出全部', version: 0 } });
  const offered = await app.admin.get(access.menuButtons, { query: { menu: menu.id } });
  expect(offered.find((row) => row.id === id)).toMatchObject({ name: '导出全部', code: 'daochu' });

  const role = await app.admin.get(access.addRole, { body: { name: '持有', code: 'holder', buttons: [id!] } });
  const held = await app.admin.ask(access.removeMenuButton, { params: { id: id! } });
  expect(held).toMatchObject({ code: -1, msg: expect.stringContaining('1 个角色') });
  await app.admin.get(access.changeRole, { params: { id: role.id! }, body: { buttons: [] } });
  await app.admin.get(access.removeMenuButton, { params: { id: id! } });
});

test('a menu button cannot be changed to another menu or code', async () => {
  const rows = await app.admin.get(access.menuButtons);
  const [first, second] = rows;
  const body = { name: '查', menu: second!.menu + 1, button: second!.button } as { name: string };
  await app.admin.get(access.changeMenuButton, { params: { id: first!.id }, body });
  const after = (await app.admin.get(access.menuButtons)).find((row) => row.id === first!.id);
  expect(after).toMatchObject({ menu: first!.menu, button: first!.button, code: first!.code });
});
