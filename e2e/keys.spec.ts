import { expect } from '@playwright/test';
import { caller, enter, test } from './office.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('a key is asked for on a phone, lent by its keeper, handed out and taken back', async ({ browser, baseURL }) => {
  const reason = `布置考场${test.info().retry}`;
  const keeper = await caller(baseURL, 'ren.shuzhen');
  const borrower = await caller(baseURL, 'qin.haoyu');
  const page = await enter(browser, baseURL, borrower.token, phone);
  await page.goto('/key/loan?new=1');
  await page.getByLabel('钥匙').click();
  await page.locator('.ant-select-item-option').filter({ hasText: '图书馆学术厅' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '已被借用' })).toBeVisible();
  await page.getByLabel('钥匙').click();
  await page.locator('.ant-select-item-option').filter({ hasText: '实验楼 112' }).click();
  await page.getByLabel('用途').fill(reason);
  await page.getByRole('button', { name: '提交申请' }).click();
  await page.goto('/key/loan?category=owner');
  const card = page.getByRole('listitem').filter({ hasText: '实验楼 112' }).first();
  await expect(card).toContainText('待审');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await card.getByRole('link').first().tap();
  await expect(page.getByText(reason)).toBeVisible();
  const address = page.url();

  const desk = await enter(browser, baseURL, keeper.token);
  await desk.goto(address);
  await desk.getByRole('button', { name: '同意' }).click();
  for (const act of ['登记领出', '登记归还']) {
    await desk.goto(address);
    await desk.getByRole('button', { name: act }).click();
    await desk.locator('.ant-popover, .ant-modal, .ant-popconfirm').getByRole('button').last().click();
    await expect(desk.getByRole('button', { name: act })).toHaveCount(0);
  }
  await expect(desk.getByRole('region', { name: '借用' })).toContainText('已归还');
  await desk.goto('/key/list');
  await expect(desk.getByText('实验楼 112')).toBeVisible();
  await desk.goto('/key/statistics');
  await expect(desk.getByRole('heading', { name: '钥匙借用统计' })).toBeVisible();
});
