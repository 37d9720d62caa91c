import { expect, type Page } from '@playwright/test';
import { caller, handOver, stand, test } from './office.ts';

test.beforeEach(async ({ page, baseURL }) => {
  await handOver(page, (await caller(baseURL, 'admin')).token);
  await stand(page, '/system/role');
});

const form = (page: Page) => page.getByRole('dialog', { name: '新增角色' });
async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: '新增角色' }).click();
  await form(page).getByLabel('名称').fill('档案管理员');
}
const typed = (page: Page) => expect(form(page).getByLabel('名称')).toHaveValue('档案管理员');
const submit = (page: Page) => form(page).getByRole('button', { name: '新增角色' }).click();

test('an expired session asks in a dialog, and staying keeps every typed word', async ({ page }) => {
  await openForm(page);
  await page.route('**/api/accounts/roles/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { code: 401, msg: '登录状态已过期', data: null } })
      : route.continue(),
  );
  await form(page).getByLabel('编码').fill('archivist');
  await submit(page);
  const box = page.getByRole('dialog', { name: '系统提示' });
  await expect(box).toContainText('登录状态已过期，您可以继续留在该页面，或者重新登录');
  await box.getByRole('button', { name: '取消' }).click();
  await typed(page);
  await page.unroute('**/api/accounts/roles/');
  await submit(page);
  await expect(form(page)).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: 'archivist' })).toContainText('档案管理员');
});

test('choosing to sign in again leads where the server says', async ({ page }) => {
  await page.route('**/api/accounts/roles/?*', (route) =>
    route.fulfill({ json: { code: 401, msg: '登录状态已过期', data: null } }),
  );
  await page.route('**/api/accounts/logout/', async (route) => {
    const answer = await (await route.fetch()).json();
    expect(answer).toMatchObject({ code: 0, data: { url: '/login', data: { url: '/login' } } });
    await route.fulfill({ json: { ...answer, data: { url: '/loginTwo', data: { url: '/loginTwo' } } } });
  });
  await page.reload();
  await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '重新登录' }).click();
  await expect(page).toHaveURL(/\/loginTwo$/);
  expect(await page.evaluate(() => localStorage.getItem('Admin-Token'))).toBeNull();
});

test('a refusal shows its own sentence: with -1 in a message, with any other code in a notice', async ({ page }) => {
  let code = -1;
  await page.route('**/api/accounts/update/cache/', (route) =>
    route.fulfill({ json: { code, msg: `被拒绝 ${code}`, data: { msg: '缓存已更新' } } }),
  );
  const update = async () => {
    await page.getByRole('button', { name: /用户菜单/ }).click();
    await page.getByRole('menuitem', { name: '更新缓存' }).click();
  };
  await update();
  await expect(page.locator('.ant-message').getByText('被拒绝 -1', { exact: true })).toBeVisible();
  code = 4007;
  await update();
  await expect(page.locator('.ant-notification').getByText('被拒绝 4007', { exact: true })).toBeVisible();
  await expect(page.getByText('缓存已更新')).toHaveCount(0);
});

test('a refused list stops loading, leaves the page usable, and loads on a retry', async ({ page }) => {
  await page.route('**/api/accounts/roles/?*', (route) =>
    route.fulfill({ json: { code: 4090, msg: '角色暂不可用', data: { value: [], total: 3 } } }),
  );
  await page.reload();
  const list = page.getByRole('region', { name: '角色管理' });
  await expect(list.getByText('角色暂不可用')).toBeVisible();
  await expect(page.locator('.ant-skeleton, .ant-spin, [aria-busy=true]').filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('row')).toHaveCount(0);
  await page.unroute('**/api/accounts/roles/?*');
  await list.getByRole('button', { name: '重试' }).click();
  await expect(list.getByRole('row').nth(1)).toBeVisible();
});

test('a lost network, a failing server and a slow one are reported in Chinese, and nothing typed is lost', async ({
  page,
}) => {
  await openForm(page);
  await form(page).getByLabel('编码').fill('archivist2');
  await page.context().setOffline(true);
  await submit(page);
  await expect(page.getByText('后端接口连接异常', { exact: true })).toBeVisible();
  await typed(page);
  await page.context().setOffline(false);
  await page.route('**/api/accounts/roles/', (route) => route.fulfill({ status: 502, body: 'bad gateway' }));
  await submit(page);
  await expect(page.getByText('系统接口502异常', { exact: true })).toBeVisible();
  await typed(page);
});

test('a call of over fifty seconds is given up with a Chinese message that stays for five', async ({ page }) => {
  await page.clock.install();
  await page.route('**/api/accounts/update/cache/', () => undefined);
  await page.getByRole('button', { name: /用户菜单/ }).click();
  const asked = page.waitForRequest('**/api/accounts/update/cache/');
  await page.getByRole('menuitem', { name: '更新缓存' }).click();
  await asked;
  await page.clock.fastForward(45_000);
  await expect(page.getByText('系统接口请求超时')).toHaveCount(0);
  await page.clock.fastForward(5_000);
  await expect(page.getByText('系统接口请求超时')).toBeVisible();
  await page.clock.runFor(4_000);
  await expect(page.getByText('系统接口请求超时')).toBeVisible();
  await page.clock.runFor(3_000);
  await expect(page.getByText('系统接口请求超时')).toHaveCount(0);
});
