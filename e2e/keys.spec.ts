import { expect } from '@playwright/test';
import { caller, enter, test } from './office.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('a key is asked for on a phone, lent by its keeper, handed out and taken back', async ({ browser, baseURL }) => {
  const reason = `布置考场${test.info().retry}`;
  const keeper = await caller(baseURL, 'ren.shuzhen');
  const borrower = await caller(baseURL, 'qin.haoyu');
  const page = await enter(browser, baseURL, borrower.token, phone);
  const key = page.getByRole('combobox', { name: '钥匙' });
  const choose = async (title: string) => {
    await key.click();
    await page.locator('.ant-select-item-option').filter({ hasText: title, visible: true }).click();
  };
  await page.goto('/key/loan?new=1');
  await choose('图书馆学术厅');
  await expect(page.getByRole('alert').filter({ hasText: '已被借用' })).toBeVisible();
  await choose('实验楼 112');
  await page.getByLabel('用途').fill(reason);
  await page.getByRole('button', { name: '提交申请' }).click();
  await expect(page).not.toHaveURL(/new=1/);
  await page.goto('/key/loan?category=owner');
  const card = page.getByRole('listitem').filter({ hasText: '实验楼 112' }).first();
  await expect(card).toContainText('待审');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await card.getByRole('link').first().tap();
  await expect(page.getByText(reason)).toBeVisible();
  const address = page.url();

  const desk = await enter(browser, baseURL, keeper.token);
  const press = (name: string) =>
    desk.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true }).click();
  const facts = desk.getByRole('region', { name: '借用', exact: true });
  await desk.goto(address);
  await press('同意');
  await expect(facts).toContainText('待领出');
  for (const [act, state] of [
    ['登记领出', '已领出'],
    ['登记归还', '已归还'],
  ] as const) {
    await press(act);
    await desk.getByRole('dialog').getByRole('button', { name: act }).click();
    await expect(facts).toContainText(state);
  }

  const office = await enter(browser, baseURL, (await caller(baseURL, 'zhao.yan')).token);
  await office.goto('/key/list');
  await expect(office.getByText('实验楼 112')).toBeVisible();
  await office.goto('/key/statistics');
  await expect(office.getByRole('heading', { name: '钥匙借用统计' })).toBeVisible();
});
