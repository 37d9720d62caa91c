import { expect } from '@playwright/test';
import { caller, enter, goTo, test } from './office.ts';

test('a role made in the pages gives its member two buttons, and the server nothing beyond them', async ({
  browser,
  baseURL,
}) => {
  const admin = await enter(browser, baseURL, (await caller(baseURL, 'admin')).token);
  await admin.goto('/system/role');
  await admin.getByRole('button', { name: '新增角色' }).click();
  const form = admin.getByRole('dialog', { name: '新增角色' });
  await form.getByLabel('名称').fill('人事录入员');
  await form.getByLabel('编码').fill('staff_entry');
  await form.getByLabel('数据范围').click();
  await admin.locator('.ant-select-item').getByText('全部数据').click();
  await form.getByRole('button', { name: '新增角色' }).click();

  const role = admin.getByRole('dialog', { name: /^角色“/ });
  const rights = role.getByRole('row').filter({ has: admin.getByRole('checkbox', { name: '用户管理', exact: true }) });
  await rights.getByRole('checkbox', { name: '查看', exact: true }).check();
  await rights.getByRole('checkbox', { name: '新增', exact: true }).check();
  await expect(rights.getByRole('checkbox', { name: '用户管理', exact: true })).toBeChecked();
  await role.getByRole('button', { name: '保存权限' }).click();
  await expect(admin.getByText('权限已保存')).toBeVisible();

  await role.getByRole('tab', { name: '成员' }).click();
  await role.getByRole('combobox').first().fill('qinhaoyu');
  await admin.getByTitle('秦浩宇（计算机学院）').click();
  await role.getByRole('button', { name: '添加成员' }).click();
  await expect(role.getByText('qin.haoyu')).toBeVisible();

  const member = await caller(baseURL, 'qin.haoyu');
  const page = await enter(browser, baseURL, member.token);
  await page.goto('/index');
  await goTo(page, '系统管理', '用户管理');
  await expect(page.getByRole('navigation', { name: '系统管理' }).getByRole('link')).toHaveText(['用户管理']);
  await expect(page.getByRole('button', { name: '新增用户' })).toBeVisible();
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  await expect(page.getByRole('button', { name: '编辑' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: '导出' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /更多操作/ })).toHaveCount(0);

  const made = await member.ask('POST', '/api/accounts/users/', { username: 'xin.ren', alias: '新人' });
  expect(made).toMatchObject({ code: 0 });
  const id = made.data.id as number;
  expect(await member.ask('DELETE', `/api/accounts/users/${id}/`)).toMatchObject({ code: 4003 });
  expect(await member.ask('PUT', `/api/accounts/users/${id}/`, { alias: '改名', version: 1 })).toMatchObject({
    code: 4003,
  });
  const kept = await member.ask('GET', '/api/accounts/users/?search_value=xin.ren');
  expect(kept.data.value).toMatchObject([{ id, alias: '新人' }]);
  await page.goto('/system/role');
  await expect(page).toHaveURL(/\/404$/);

  await role.getByRole('button', { name: '移除' }).click();
  await admin.getByRole('dialog', { name: '移除“秦浩宇”' }).getByRole('button', { name: '移除', exact: true }).click();
  await expect(role.getByText('该角色还没有成员')).toBeVisible();
  expect(await member.ask('GET', '/api/accounts/users/')).toMatchObject({ code: 401 });
});

test('an administrator is told why a person has a button, page or record, and sees the office as that person until it is ended', async ({
  browser,
  baseURL,
}) => {
  const page = await enter(browser, baseURL, (await caller(baseURL, 'admin')).token);
  await page.goto('/system/user?search_value=qin.haoyu');
  await page.getByRole('button', { name: '秦浩宇 的更多操作' }).click();
  await page.getByRole('menuitem', { name: '权限说明' }).click();
  const drawer = page.getByRole('dialog', { name: '“秦浩宇”的权限说明' });
  const choose = async (label: string, words: string) => {
    await drawer.getByRole('combobox', { name: label }).fill(words);
    await page.locator('.ant-select-item-option').filter({ hasText: words }).first().click();
  };
  await choose('页面', '用户管理');
  await expect(drawer.getByRole('status')).toContainText('不能');
  await choose('页面', '我发起的');
  await expect(drawer.getByRole('status')).toContainText('可以看到“我发起的”页面');
  await drawer.getByText('按钮', { exact: true }).click();
  await choose('页面', '我发起的');
  await choose('按钮', '查看');
  await expect(drawer.getByRole('status').getByRole('listitem').first()).toBeVisible();

  await drawer.getByRole('button', { name: '以其权限查看' }).click();
  const banner = page.getByText(/正在以.*秦浩宇.*的权限查看，不能修改或导出/);
  await expect(banner).toBeVisible();
  await expect(page.getByRole('navigation', { name: '主导航' }).getByRole('button', { name: '系统管理' })).toHaveCount(
    0,
  );
  await page.getByRole('button', { name: '结束查看' }).click();
  await expect(
    page.getByRole('navigation', { name: '主导航' }).getByRole('button', { name: '系统管理' }),
  ).toBeVisible();
  await expect(banner).toHaveCount(0);
});
