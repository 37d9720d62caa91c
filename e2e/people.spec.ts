import { expect } from '@playwright/test';
import { caller, enter, password, test, type Caller } from './office.ts';

/** Creates a person for this test alone. */
async function newPerson(admin: Caller, alias: string) {
  const username = `p${crypto.randomUUID().slice(0, 8)}`;
  const made = await admin.ask('POST', '/api/accounts/users/', { username, alias });
  expect(made).toMatchObject({ code: 0 });
  return { id: made.data.id as number, username, password: made.data.password as string };
}

/** A name in letters that no other test uses. */
const markOf = (word: string) =>
  word +
  Array.from(crypto.randomUUID().slice(0, 8), (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('');

test('an administrator sees who is signed in, signs them out, and finds both in the sign-in log, also on a phone', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const person = await newPerson(admin, '试登录');
  const { ask } = await caller(baseURL, person.username, person.password);
  const page = await enter(browser, baseURL, admin.token);
  await page.goto(`/system/online?search_value=${person.username}`);
  const row = page.locator('.ant-table-row').filter({ hasText: person.username });
  await expect(row).toContainText('密码');
  await row.getByRole('button', { name: '全部退出' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '全部退出' }).click();
  await expect(page.getByText('已退出 1 处登录')).toBeVisible();
  expect((await ask('GET', '/api/accounts/users/info/')).code).toBe(401);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/system/online', '/system/sign_in', '/system/job']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).last()).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, path).toBeLessThanOrEqual(390);
  }
});

test('an administrator ends the sessions that a search finds, after reading whose they are', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const person = await newPerson(admin, '试退出');
  const { ask } = await caller(baseURL, person.username, person.password);
  const page = await enter(browser, baseURL, admin.token);
  await page.goto(`/system/user?search_value=${person.username}`);
  await page.getByRole('button', { name: '试退出 的更多操作' }).click();
  await page.getByRole('menuitem', { name: '查看在线' }).click();
  await expect(page).toHaveURL(new RegExp(`/system/online\\?search_value=${person.username}`));
  await page.getByRole('button', { name: '退出筛选出的登录' }).click();
  const dialog = page.getByRole('dialog', { name: '退出筛选出的登录' });
  await expect(dialog).toContainText('将退出“试退出”的 1 处登录');
  await dialog.getByLabel('登录密码').fill(password);
  await dialog.getByRole('button', { name: '全部退出' }).click();
  await expect(page.getByText('已退出 1 人的 1 处登录')).toBeVisible();
  expect((await ask('GET', '/api/accounts/users/info/')).code).toBe(401);
  expect((await admin.ask('GET', '/api/accounts/users/info/')).code).toBe(0);
});

test('several people are selected in the list, a preview shows what changes for each, and all are changed at once', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const mark = markOf('批');
  const people = [await newPerson(admin, `${mark}甲`), await newPerson(admin, `${mark}乙`)];
  const page = await enter(browser, baseURL, admin.token);
  await page.goto(`/system/user?search_value=${encodeURIComponent(mark)}`);
  await expect(page.locator('.ant-table-row')).toHaveCount(2);
  await page.getByRole('checkbox', { name: '全选' }).check();
  await page.getByRole('button', { name: '批量修改' }).click();
  const dialog = page.getByRole('dialog', { name: '批量修改 2 个用户' });
  await dialog.getByRole('radio', { name: '停用' }).check();
  await dialog.getByRole('button', { name: '预览' }).click();
  await expect(dialog.getByRole('row', { name: new RegExp(`${mark}甲`) })).toContainText('停用');
  await dialog.getByRole('button', { name: '停用（2 人）' }).click();
  await expect(page.getByText('已修改 2 人')).toBeVisible();
  for (const { username } of people) {
    const { data } = await admin.ask('GET', `/api/accounts/users/?search_value=${username}`);
    expect(data.value[0].is_active).toBe(false);
  }
});

test('a member is added to a role until a day, which the members and the list of users show, also on a phone', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const alias = markOf('代');
  const { username } = await newPerson(admin, alias);
  const page = await enter(browser, baseURL, admin.token);
  const role = page.getByRole('dialog', { name: /^角色“校友管理员”/ });
  const openMembers = async () => {
    await page.goto(`/system/role?search_value=${encodeURIComponent('校友管理员')}`);
    await page.getByRole('button', { name: /校友管理员$/ }).click();
    await role.getByRole('tab', { name: '成员' }).click();
  };
  const add = async (until: string) => {
    await role.getByLabel('到期日期').fill(until);
    await role.getByRole('combobox').first().fill(alias);
    await page.locator('.ant-select-item-option').filter({ hasText: alias }).click();
    await role.getByRole('button', { name: '添加成员' }).click();
  };
  await openMembers();
  await add('2098-06-01');
  await expect(page.getByText('已添加 1 人，须重新登录后生效')).toBeVisible();
  const member = role.locator('.ant-list-item').filter({ hasText: username });
  await expect(member).toContainText('至 2098-06-01');
  // Somebody who is a member already keeps the first day.
  await add('2098-07-01');
  await expect(page.getByText('所选 1 人已是成员，期限不变')).toBeVisible();
  await expect(member).toContainText('至 2098-06-01');

  await page.goto(`/system/user?search_value=${username}&temporary=true`);
  const row = page.locator('.ant-table-row').filter({ hasText: username });
  await expect(row).toContainText('校友管理员（至 2098-06-01）');
  await page.goto(`/system/user?search_value=${username}&temporary=false`);
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await openMembers();
  await expect(member).toContainText('至 2098-06-01');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await member.getByRole('button', { name: '移除' }).click();
  await page
    .getByRole('dialog', { name: `移除“${alias}”` })
    .getByRole('button', { name: '移除', exact: true })
    .click();
  await expect(member).toHaveCount(0);
});
