import { expect, test } from '@playwright/test';
import { password, signIn, signOut, tab } from './office.ts';

test('a stranger reaches the open pages and is sent to the sign-in page from any other', async ({ page }) => {
  for (const path of ['/login', '/loginTwo', '/login2', '/index', '/myOrder', '/auth-redirect', '/404', '/401']) {
    await page.goto(path);
    await expect(page.locator('h1, h2').first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
  for (const path of ['/system/user', '/user/profile', '/nothing/here']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login\?redirect=/);
  }
  await page.goto('/');
  await expect(page).toHaveURL(/\/index$/);
});

test('signing in leads to where one wanted to go, keeps the token, and leads away from the sign-in pages', async ({
  page,
}) => {
  await page.goto('/system/user?page=1');
  await page.getByLabel('用户名').fill('admin');
  await page.getByLabel('密码').fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL(/\/system\/user\?page=1/);
  await expect(page).toHaveTitle('用户管理 - 工单系统');
  expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('userData') ?? '{}'))).toMatchObject({
    username: 'admin',
    alias: '系统管理员',
  });
  await page.goto('/login');
  await expect(page).toHaveURL(/\/index$/);
  await page.goto('/nothing/here');
  await expect(page).toHaveURL(/\/404$/);
  await expect(page.getByRole('link', { name: '返回首页' })).toBeVisible();
});

test('a page that is left while it still loads keeps its person signed in', async ({ page }) => {
  await signIn(page, 'admin');
  const token = () => page.evaluate(() => localStorage.getItem('Admin-Token'));
  const held = await token();
  await page.route('**/api/accounts/users/info/', () => new Promise(() => undefined));
  const asked = page.waitForRequest('**/api/accounts/users/info/');
  await page.goto('/index', { waitUntil: 'commit' });
  await asked;
  await page.goto('/404');
  expect(await token()).toBe(held);
  await page.unroute('**/api/accounts/users/info/');
  await page.goto('/index');
  await expect(page.getByRole('tablist', { name: '已打开的页面' })).toBeVisible();
});

test('a wrong password is told at the form, with the user name kept', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('用户名').fill('nobody-here');
  await page.getByLabel('密码').fill('wrong');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('用户名或密码不正确');
  await expect(page.getByLabel('用户名')).toHaveValue('nobody-here');
});

test('logging out ends the session and forgets the token', async ({ page }) => {
  await signIn(page, 'admin');
  const token = await page.evaluate(() => localStorage.getItem('Admin-Token'));
  await signOut(page);
  expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).toBeNull();
  const answer = await page.request.get('/api/accounts/users/info/', { headers: { authorization: `JWT ${token}` } });
  expect(await answer.json()).toMatchObject({ code: 401 });
});

test('when the routes cannot be set up the token goes and the sign-in page says why', async ({ page }) => {
  await signIn(page, 'admin');
  await page.route('**/api/accounts/menu/web_router/**', (route) =>
    route.fulfill({ json: { code: -1, msg: '菜单暂不可用', data: null } }),
  );
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('alert')).toContainText('菜单暂不可用');
  expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).toBeNull();
});

test('the user menu updates the cache and opens the personal centre', async ({ page }) => {
  await signIn(page, 'admin');
  await page.getByRole('button', { name: /用户菜单/ }).click();
  await page.getByRole('menuitem', { name: '更新缓存' }).click();
  await expect(page.getByText('缓存已更新')).toBeVisible();
  await page.getByRole('button', { name: /用户菜单/ }).click();
  await page.getByRole('menuitem', { name: '个人中心' }).click();
  await expect(page).toHaveURL(/\/user\/profile$/);
  await expect(tab(page, '个人中心')).toHaveAttribute('aria-selected', 'true');
});
