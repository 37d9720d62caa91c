import { buffer } from 'node:stream/consumers';
import { expect, type Page } from '@playwright/test';
import { writeSheet } from '../kernel/server/export/sheet-writer.ts';
import { caller, enter, password, test, type Caller } from './office.ts';

let admin: Caller;
let page: Page;
test.beforeEach(async ({ browser, baseURL }) => {
  admin = await caller(baseURL, 'admin');
  page = await enter(browser, baseURL, admin.token);
});
// Removes the records, so that a retry begins like the first try.
test.afterEach(async () => {
  const found = async (path: string, rows: (data: never) => Row[], name: string) =>
    rows((await admin.ask('GET', path)).data as never).filter((row) => [row.name, row.app_name].includes(name));
  const value = (data: { value: Row[] }) => data.value;
  for (const { id } of await found('/api/accounts/menu/', (data) => data, '接口说明'))
    await admin.ask('PATCH', `/api/accounts/menu/${id}/`, { name: '接口文档' });
  for (const { id } of await found('/api/accounts/app_token/', value, '一卡通'))
    await admin.ask('DELETE', `/api/accounts/app_token/${id}/`);
  for (const { id } of await found('/api/accounts/depts/?search_value=备件室', value, '备件室'))
    await admin.ask('DELETE', `/api/accounts/depts/${id}/`);
  for (const { id } of await found('/api/accounts/menu_button/', (data) => data, '导出按钮表'))
    await admin.ask('DELETE', `/api/accounts/menu_button/${id}/`);
  for (const { id } of await found('/api/accounts/button/?per_page=100', value, '导出表格'))
    await admin.ask('PATCH', `/api/accounts/button/${id}/`, { name: '导出' });
  await admin.ask('PUT', '/api/accounts/settings/site/', { name: '工单系统' });
  await admin.ask('PUT', '/api/accounts/settings/interface/', { wopi: { url: '' }, mail: { host: '', password: '' } });
});
interface Row {
  id: number;
  name?: string;
  app_name?: string;
}

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const said = (text: string) => expect(page.getByText(text).last()).toBeVisible();
const rowWith = (text: string) => page.locator('.ant-table-row').filter({ hasText: text });
async function sheetOf(lines: string[][]) {
  const titles = ['姓名', '用户名', '手机', '部门', '职务', '角色'];
  const columns = titles.map((title, i) => ({
    title,
    kind: 'text' as const,
    value: (line: string[]) => line[i] ?? '',
  }));
  return {
    name: '用户.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await buffer(writeSheet({ title: '用户', columns, rows: lines })),
  };
}

test('departments are changed in their tree, and a sheet of people is checked line by line before anybody is added', async () => {
  await page.goto('/system/dept');
  await rowWith('维修科').getByRole('button', { name: '编辑' }).click();
  await dialog('编辑部门“维修科”').getByLabel('部门编码').fill('WXK2');
  await dialog('编辑部门“维修科”').getByRole('button', { name: '保存部门' }).click();
  await expect(rowWith('维修科')).toContainText('WXK2');
  await rowWith('维修科').getByRole('button', { name: '新增下级' }).click();
  await dialog('新增部门').getByLabel('部门名称').fill('备件室');
  await dialog('新增部门').getByRole('button', { name: '新增部门' }).click();
  await expect(rowWith('备件室')).toBeVisible();
  await rowWith('备件室').getByRole('button', { name: '删除' }).click();
  await dialog('删除部门“备件室”').getByRole('button', { name: '删除' }).click();
  await expect(rowWith('备件室')).toHaveCount(0);

  await page.goto('/system/user');
  await page.getByRole('complementary').getByText('人事处').click();
  await expect(page).toHaveURL(/dept=\d+/);
  await expect(rowWith('财务处')).toHaveCount(0);
  await expect(rowWith('人事处').first()).toBeVisible();
  await page.getByRole('button', { name: '导入' }).click();
  const file = dialog('导入用户').getByLabel('导入文件');
  await file.setInputFiles(
    await sheetOf([
      ['孔一', 'kong.yi', '', '人事处', '科员', ''],
      ['孔二', 'kong.er', '123', '没有的部门', '科员', ''],
    ]),
  );
  await expect(dialog('导入用户')).toContainText('共 2 行，1 行可以导入，2 处错误；全部改正后才能导入');
  const wrong = dialog('导入用户').locator('.ant-table-row');
  await expect(wrong.filter({ hasText: '手机' }).locator('td').first()).toHaveText('3');
  await expect(wrong.filter({ hasText: '没有的部门' })).toHaveCount(1);
  await file.setInputFiles(await sheetOf([['孔一', 'kong.yi', '', '人事处', '科员', '']]));
  await expect(dialog('导入用户')).toContainText('检查通过，共 1 人，尚未导入');
  await dialog('导入用户').getByRole('button', { name: '取消' }).click();
  expect((await admin.ask('GET', '/api/accounts/users/?search_value=kong.yi')).data.total).toBe(0);
});

test('a menu is renamed and logged with both names, a token is shown once, and a sign-in rule is saved', async () => {
  await page.goto('/system/menu');
  await expect(rowWith('接口文档').getByRole('button', { name: '删除' })).toHaveCount(0);
  await page.getByRole('button', { name: '接口文档' }).click();
  const form = dialog('编辑菜单“接口文档”');
  await form.getByLabel('名称').fill('接口说明');
  await form.getByRole('button', { name: '保存菜单' }).click();
  await expect(rowWith('接口说明')).toBeVisible();
  await page.goto('/system/log');
  await rowWith('接口说明').first().getByRole('button', { name: '编辑菜单' }).click();
  const changed = dialog('操作详情').getByRole('row', { name: /^名称/ });
  await expect(changed.locator('del')).toHaveText('接口文档');
  await expect(changed).toContainText('接口说明');

  await page.goto('/system/app_token');
  await page.getByRole('button', { name: '新增应用令牌' }).click();
  const token = dialog('新增应用令牌');
  await token.getByLabel('应用名称').fill('一卡通');
  await token.getByLabel('可用接口').fill('all_staff');
  await page.locator('.ant-select-item').getByText('/api/oauth/staff/all_staff/').click();
  await token.getByLabel('应用名称').click();
  await token.getByRole('button', { name: '新增应用令牌' }).click();
  const shown = dialog('请立即保存密钥').getByRole('button', { name: /^复制 / });
  const key = (await shown.last().textContent())!.trim();
  expect(key.length).toBeGreaterThan(30);
  await dialog('请立即保存密钥').getByRole('button', { name: '我已保存' }).click();
  await page.reload();
  await expect(rowWith('一卡通')).toBeVisible();
  expect(await page.content()).not.toContain(key);
  expect(JSON.stringify(await admin.ask('GET', '/api/accounts/app_token/'))).not.toContain(key);

  await page.goto('/system/login');
  await page.getByLabel('登录保持小时数').fill('11');
  await page.getByRole('button', { name: '保存登录设置' }).click();
  await said('登录设置已保存');
  await page.reload();
  await expect(page.getByLabel('登录保持小时数')).toHaveValue('11');
  const selfCheck = page.getByRole('region', { name: '等保自查' });
  await expect(selfCheck).toContainText(/等保模式未开启，有 \d+ 项没有达到/);
  await expect(selfCheck.getByRole('listitem').filter({ hasText: '水印' })).toContainText('现为');
});

test('a button is renamed and offered by a menu, the site renamed, and a connection saved without showing its secret', async () => {
  await page.goto('/system/button');
  await rowWith('daochu').getByRole('button', { name: '导出', exact: true }).click();
  await dialog('编辑按钮“导出”').getByLabel('名称').fill('导出表格');
  await dialog('编辑按钮“导出”').getByRole('button', { name: '保存按钮' }).click();
  await expect(rowWith('daochu')).toContainText('导出表格');

  await page.goto('/system/menu_button');
  await page.getByRole('combobox', { name: '菜单' }).fill('按钮管理');
  await page.locator('.ant-select-tree-title').getByText('按钮管理', { exact: true }).click();
  await expect(rowWith('Retrieve')).toBeVisible();
  await expect(rowWith('daochu')).toHaveCount(0);
  await page.getByRole('button', { name: '新增菜单按钮' }).click();
  const offer = dialog('新增菜单按钮');
  await offer.getByLabel('按钮', { exact: true }).click();
  await page.locator('.ant-select-item').getByText('导出表格（daochu）').click();
  await offer.getByLabel('名称').fill('导出按钮表');
  await offer.getByRole('button', { name: '新增菜单按钮' }).click();
  await expect(rowWith('daochu')).toContainText('导出按钮表');
  await page.goto('/system/role');
  await page.getByRole('button', { name: '员工', exact: true }).click();
  const rights = dialog(/^角色“/).getByRole('row');
  const ofButtons = rights.filter({ has: page.getByRole('checkbox', { name: '按钮管理', exact: true }) });
  await expect(ofButtons.getByRole('checkbox', { name: '导出按钮表' })).toBeVisible();

  await page.goto('/system/site');
  await page.getByLabel('站点名称').fill('办公平台');
  await page.getByRole('button', { name: '保存站点设置' }).click();
  await said('站点设置已保存');
  await page.reload();
  await expect(page).toHaveTitle('站点设置 - 办公平台');
  await expect(page.locator('.navbar-title')).toHaveText('办公平台');

  await page.goto('/system/interface');
  const group = async (title: string) => {
    const inside = page.getByRole('group', { name: title, exact: true, includeHidden: true });
    const all = page.locator('details').filter({ has: inside });
    await expect(all).toBeVisible();
    if (!(await all.evaluate((one) => (one as HTMLDetailsElement).open))) await all.locator('summary').click();
    return all;
  };
  await (await group('在线文档')).getByLabel('服务地址').fill('https://office.example.edu');
  await (await group('邮件')).getByLabel('服务器').fill('mail.example.edu');
  await (await group('邮件')).getByLabel('密码').fill('mail-secret');
  await page.getByRole('button', { name: '保存接口设置' }).click();
  await said('接口设置已保存');
  await page.reload();
  await expect((await group('在线文档')).getByLabel('服务地址')).toHaveValue('https://office.example.edu');
  await expect((await group('邮件')).getByLabel('密码')).toHaveValue('******');
  expect((await admin.ask('GET', '/api/geturls/')).data.wopi_url).toBe('https://office.example.edu');
});

test('the address book finds people and shows a number, exports when ready, and another device is signed out', async ({
  baseURL,
  playwright,
}) => {
  await page.goto('/address');
  await page.getByPlaceholder('请输入关键字').fill('zyh');
  await expect(rowWith('郑永辉')).toContainText('在岗');
  await expect(rowWith('郑永辉')).toContainText('****');
  await page.getByRole('button', { name: '查看 郑永辉 的手机号' }).click();
  await expect(rowWith('郑永辉').getByRole('button', { name: /^复制 1\d{10}$/ })).toBeVisible();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出' }).click();
  expect((await coming).suggestedFilename()).toBe('通讯录.xlsx');
  await said('“通讯录”已导出');
  await expect(page.getByRole('button', { name: '导出', exact: true })).toBeVisible();

  const elsewhere = await playwright.request.newContext({ baseURL: baseURL!, userAgent: 'Second-Device/1.0' });
  const signedIn = await elsewhere.post('/api/accounts/login/', { data: { username: 'admin', password } });
  const { jwt } = ((await signedIn.json()) as { data: { jwt: string } }).data;
  const codeThere = async () => {
    const answer = await elsewhere.get('/api/accounts/users/info/', { headers: { Authorization: `JWT ${jwt}` } });
    return ((await answer.json()) as { code: number }).code;
  };
  expect(await codeThere()).toBe(0);
  await page.goto('/user/profile');
  await page.getByRole('tab', { name: '登录设备' }).click();
  const device = page.getByRole('listitem').filter({ hasText: 'Second-Device' }).first();
  await device.getByRole('button', { name: '退出' }).click();
  await dialog('退出这台设备的登录').getByRole('button', { name: '退出' }).click();
  await said('该设备已退出登录');
  await expect.poll(codeThere).toBe(401);
  await elsewhere.dispose();
});
