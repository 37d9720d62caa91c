import { expect } from '@playwright/test';
import { barriersOf } from './barriers.ts';
import { cutCards } from './cards.ts';
import { caller, enter, repairWaiting, test } from './office.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('a head decides a to-do on a phone within reach of the thumb', async ({ browser, baseURL }) => {
  const title = '手机上审批';
  await repairWaiting(baseURL, title);
  const song = await caller(baseURL, 'song.mingjie');
  const page = await enter(browser, baseURL, song.token, phone);
  await page.goto('/index');
  const bottom = page.getByRole('navigation', { name: '常用' });
  await bottom.getByRole('link', { name: '待办' }).tap();
  await expect(page).toHaveURL(/\/todo$/);
  await page.goto(`/todo?category=ticket&search_value=${encodeURIComponent(title)}`);
  const card = page.getByRole('listitem').filter({ hasText: title });
  await card.getByRole('link', { name: title }).tap();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();

  const bar = page.locator('footer[aria-label=操作]');
  const agree = bar.getByRole('button', { name: '同意', exact: true });
  await expect(agree).toBeInViewport({ ratio: 1 });
  await page.mouse.wheel(0, 4000);
  await expect(agree).toBeInViewport({ ratio: 1 });
  // The actions replace the bottom bar.
  await expect(bottom).toBeHidden();
  const [actions, button] = [await bar.boundingBox(), await agree.boundingBox()];
  expect(Math.round((actions?.y ?? 0) + (actions?.height ?? 0))).toBe(844);
  expect(button?.height ?? 0).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await agree.tap();
  await expect(page.getByRole('region', { name: '流转记录' })).toContainText('等待 贾顺利、夏铁柱');
  await page.goto('/ticket/duty');
  await expect(page.getByText(/^共 \d+ 条/)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: title })).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the daily pages have no accessibility violation in ${colorScheme} mode`, async ({ browser, baseURL }) => {
    const song = await caller(baseURL, 'song.mingjie');
    const id = await repairWaiting(baseURL, `无障碍检查 ${colorScheme}`);
    const page = await enter(browser, baseURL, song.token, { ...phone, colorScheme });
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      await expect(page.locator('.ant-skeleton')).toHaveCount(0);
      const barriers = await barriersOf(page);
      if (barriers.length > 0) found[name] = barriers;
    };
    await page.goto('/index');
    await expect(page.getByText('我发起的').first()).toBeVisible();
    await look('home');
    await page.goto('/ticket/duty');
    await expect(page.getByText(/^共 \d+ 条/)).toBeVisible();
    await look('list');
    await page.goto('/ticket/new');
    await page.getByRole('button', { name: /^信息化服务/ }).click();
    await expect(page.getByLabel('标题')).toBeVisible();
    await look('form');
    await page.goto(`/ticket/detail/${id}`);
    await expect(page.getByRole('button', { name: '同意', exact: true })).toBeVisible();
    await look('detail');
    await page.evaluate(() => localStorage.clear());
    await page.goto('/login');
    await expect(page.getByLabel('用户名')).toBeVisible();
    await look('sign-in');
    expect(found).toEqual({});
  });
}

test('the home page with an overdue letter is no wider than a phone', async ({ browser, baseURL }) => {
  const page = await enter(browser, baseURL, (await caller(baseURL, 'guo.zhenhua')).token, phone);
  await page.goto('/index');
  const line = page.getByRole('listitem').filter({ hasText: '已逾期' }).first();
  await expect(line).toBeVisible();
  for (const part of [line.getByRole('link').first(), line.locator('.ant-tag').first()])
    await expect(part).toBeInViewport({ ratio: 1 });
});

test('at 360 px the cards of the lists of work show at least seven tenths of their words', async ({
  browser,
  baseURL,
}) => {
  const small = { ...phone, viewport: { width: 360, height: 780 } };
  const page = await enter(browser, baseURL, (await caller(baseURL, 'admin')).token, small);
  for (const path of [
    '/ticket/all',
    '/document/list?category=all',
    '/supervise/list?category=all',
    '/contract/manage',
    '/order/list',
    '/meet/manage',
    '/customer/list',
    '/system/user',
  ]) {
    await page.goto(path);
    await expect(page.locator('.kit-cards > li').first(), path).toBeVisible();
    expect({ path, cut: await cutCards(page) }).toEqual({ path, cut: [] });
  }
});
