import { expect } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { caller, handOver, password, signIn, signOut, stand, tab, test } from './office.ts';

/** A picture of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a stranger reaches the open pages and is sent to the sign-in page from any other', async ({ page }) => {
  for (const path of [
    '/login',
    '/loginTwo',
    '/login2',
    '/forgotten',
    '/index',
    '/myOrder',
    '/auth-redirect',
    '/404',
    '/401',
  ]) {
    await page.goto(path);
    await expect(page.locator('h1, h2').first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
  for (const path of ['/system/user', '/user/profile', '/nothing/here']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login\?redirect=/);
  }
  const asked = page.waitForRequest('**/api/accounts/settings/site/');
  await page.goto('/');
  await expect(page).toHaveURL(/\/index$/);
  expect((await asked).headers()).not.toHaveProperty('authorization');
});

test('signing in leads to the page wanted, stores the token, and leads away from the sign-in pages', async ({
  page,
}) => {
  await page.goto('/system/user?page=1');
  await page.getByLabel('用户名').fill('admin');
  await page.getByLabel('密码').fill(password);
  const menu = page.waitForRequest('**/api/accounts/menu/web_router/**');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL(/\/system\/user\?page=1/);
  await expect(page).toHaveTitle('用户管理 - 工单系统');
  await expect(page.getByRole('banner')).toContainText('工单系统');
  const token = await page.evaluate(() => localStorage.getItem('Admin-Token'));
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect((await menu).headers()['authorization']).toBe(`JWT ${token}`);
  expect(new URL((await menu).url()).search).toBe('?is_mobile=0');
  const kept = (key: string) => page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? '{}'), key);
  expect(await kept('userData')).toEqual({ username: 'admin', alias: '系统管理员', identity: 'staff' });
  expect(await kept('settings')).toMatchObject({
    title: '工单系统',
    showSettings: true,
    tagsView: true,
    fixedHeader: true,
    sidebarLogo: true,
    errorLog: 'production',
    routesRole: 'reception',
    theme: '#0099e0',
  });
  for (const path of ['/login', '/loginTwo', '/login2']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/index$/);
  }
  await page.goto('/nothing/here');
  await expect(page).toHaveURL(/\/404$/);
  await expect(page.getByRole('link', { name: '返回首页' })).toBeVisible();
  await expect(page).toHaveTitle(/^页面不存在/);
  await page.goto('/401');
  await expect(page.getByText('您没有访问该页面的权限')).toBeVisible();
  await expect(page).toHaveTitle(/^没有权限/);
});

test('a person with a one-time password and a second factor sets a new password first, then gives the code', async ({
  page,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const username = 'chen.xinlai';
  const made = await admin.ask('POST', '/api/accounts/users/', { username, alias: '陈新来' });
  expect(made).toMatchObject({ code: 0 });
  const own = 'Blue-Kite-77';
  const first = await caller(baseURL, username, made.data.password);
  const change = { old_password: made.data.password, new_password: own };
  expect(await first.ask('PUT', '/api/accounts/users/change_pwd/', change)).toMatchObject({ code: 0 });
  const { secret } = (await first.ask('POST', '/api/accounts/second/begin/', { password: own })).data;
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  expect(await first.ask('POST', '/api/accounts/second/confirm/', { code: code(0) })).toMatchObject({ code: 0 });
  const reset = await admin.ask('POST', `/api/accounts/users/${made.data.id}/reset_password/`);
  const given = reset.data.password as string;

  await page.goto('/login');
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('密码').fill(given);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('heading', { name: '请先修改密码' })).toBeVisible();
  await page.getByLabel('原密码').fill(given);
  await page.getByLabel('新密码').fill('Green-Lake-31');
  await page.getByRole('button', { name: '修改密码' }).click();
  await expect(page.getByRole('heading', { name: '二次验证' })).toBeVisible();
  const shown = code(1);
  await page.getByLabel('动态码或恢复码').fill(`${shown.slice(0, 3)} ${shown.slice(3)}`);
  await page.getByRole('button', { name: '验证', exact: true }).click();
  await expect(page.getByRole('banner')).toContainText('工单系统');
});

test('a wrong password is reported in the form, and the user name stays', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('用户名').fill('nobody-here');
  await page.getByLabel('密码').fill('wrong');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('用户名或密码不正确');
  await expect(page.getByLabel('用户名')).toHaveValue('nobody-here');
});

test('the forgotten-password form is reached from the sign-in page, says what is wrong, and fits a phone', async ({
  page,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const mail = (host: string, from: string) =>
    admin.ask('PUT', '/api/accounts/settings/interface/', { mail: { host, from } });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/forgotten');
  await expect(page.getByText('本单位没有开放自助找回密码')).toBeVisible();
  expect(await mail('mail.example.com', 'oa@school.example')).toMatchObject({ code: 0 });
  try {
    await page.goto('/login');
    await page.getByRole('link', { name: '忘记密码' }).click();
    await expect(page.getByRole('heading', { name: '找回密码' })).toBeVisible();
    const target = page.getByLabel('邮箱', { exact: true });
    await target.fill('not an address');
    await page.getByRole('button', { name: '获取验证码' }).click();
    await expect(page.getByRole('alert')).toContainText('请填写 11 位手机号或邮箱地址');
    await target.fill('somebody@school.example');
    await page.getByRole('button', { name: '获取验证码' }).click();
    await expect(page.getByRole('button', { name: '秒后重发' })).toBeVisible();
    await page.getByLabel('验证码').fill('000000');
    await page.getByLabel('新密码', { exact: true }).fill('Green-Lake-31');
    await page.getByRole('button', { name: '设置新密码' }).click();
    await expect(page.getByRole('alert')).toContainText('验证码不正确或已失效');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  } finally {
    await mail('', '');
  }
});

test('name and logo of the site stand in the title, the bar and on the sign-in page', async ({ page, baseURL }) => {
  const admin = await caller(baseURL, 'admin');
  const site = (await admin.ask('GET', '/api/accounts/settings/site/')).data;
  const save = async (change: Record<string, unknown>) =>
    expect(await admin.ask('PUT', '/api/accounts/settings/site/', change)).toMatchObject({ code: 0 });
  const picture = await page.request.post('/api/file/upload/', {
    headers: { authorization: `JWT ${admin.token}`, 'idempotency-key': crypto.randomUUID() },
    multipart: { module: 'settings', file: { name: 'logo.png', mimeType: 'image/png', buffer: dot } },
  });
  await save({ name: '青川学院', logo: [(await picture.json()).data.id] });
  try {
    await page.goto('/login');
    await expect(page).toHaveTitle('登录 - 青川学院');
    const { logo } = (await admin.ask('GET', '/api/accounts/settings/site/')).data.value;
    await expect(page.locator(`img[src="${logo[0].url}"]`)).toBeVisible();
    await signIn(page, 'admin');
    await expect(page).toHaveTitle('首页 - 青川学院');
    await expect(page.getByRole('banner')).toContainText('青川学院');
    const shown = page.getByRole('banner').locator('img').first();
    await expect(shown).toHaveAttribute('src', logo[0].url);
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  } finally {
    await save({ name: site.value.name, logo: [] });
  }
});

test.describe('a signed-in person', () => {
  test.beforeEach(async ({ page, baseURL }) => handOver(page, (await caller(baseURL, 'admin')).token));

  test('stays signed in when a page is left while it still loads', async ({ page }) => {
    await page.route('**/api/accounts/users/info/', () => new Promise(() => undefined));
    const asked = page.waitForRequest('**/api/accounts/users/info/');
    await page.goto('/index', { waitUntil: 'commit' });
    await asked;
    await page.goto('/404');
    expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).not.toBeNull();
    await page.unroute('**/api/accounts/users/info/');
    await stand(page);
  });

  test('who logs out has no session and no stored token any more', async ({ page }) => {
    await stand(page);
    const token = await page.evaluate(() => localStorage.getItem('Admin-Token'));
    await signOut(page);
    expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).toBeNull();
    const answer = await page.request.get('/api/accounts/users/info/', { headers: { authorization: `JWT ${token}` } });
    expect(await answer.json()).toMatchObject({ code: 401 });
  });

  test('whose menu cannot be loaded loses the token and reads why on the sign-in page', async ({ page }) => {
    await page.route('**/api/accounts/menu/web_router/**', (route) =>
      route.fulfill({ json: { code: -1, msg: '菜单暂不可用', data: null } }),
    );
    await page.goto('/index');
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByRole('alert')).toContainText('菜单暂不可用');
    const token = () => page.evaluate(() => localStorage.getItem('Admin-Token'));
    expect(await token()).toBeNull();

    await page.unroute('**/api/accounts/menu/web_router/**');
    await page.route('**/api/accounts/menu/web_router/**', (route) =>
      route.fulfill({ json: { code: 0, msg: '', data: null } }),
    );
    await page.getByLabel('用户名').fill('admin');
    await page.getByLabel('密码').fill(password);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Has Error');
    expect(await token()).toBeNull();
  });

  test('refreshes the cache and opens the personal centre from the user menu, and unread messages from the bell', async ({
    page,
  }) => {
    await stand(page);
    await page.getByRole('button', { name: /用户菜单/ }).click();
    await page.getByRole('menuitem', { name: '更新缓存' }).click();
    await expect(page.getByText('缓存已更新')).toBeVisible();
    await page.getByRole('button', { name: /用户菜单/ }).click();
    await page.getByRole('menuitem', { name: '个人中心' }).click();
    await expect(page).toHaveURL(/\/user\/profile$/);
    await expect(tab(page, '个人中心')).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('button', { name: /^消息/ }).click();
    await expect(page).toHaveURL(/\/msg\?readState=1$/);
    await expect(tab(page, '消息')).toHaveAttribute('aria-selected', 'true');
  });
});
