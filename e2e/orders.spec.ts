import { expect, type Locator, type Page } from '@playwright/test';
import { caller, enter, test } from './office.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const card = (page: Page, title: string): Locator => page.getByRole('article', { name: title });

test('a fault is reported by label on a phone, assigned by the desk, repaired offline, sent back and rated', async ({
  browser,
  baseURL,
}) => {
  const title = `投影仪连不上${test.info().retry}`;
  const clerk = await caller(baseURL, 'ren.shuzhen');
  const { value: labels } = (await clerk.ask('GET', '/api/order/asset/?per_page=1')).data;
  const qin = await enter(browser, baseURL, (await caller(baseURL, 'qin.haoyu')).token, phone);
  await qin.goto(`/myOrder?label=${labels[0].code}`);
  await expect(qin.getByText(`位置：${labels[0].building}`)).toBeVisible();
  await qin.getByLabel('标题').fill(title);
  await qin.getByLabel('故障情况').fill('插上线没有反应');
  await qin.getByRole('button', { name: '提交报修' }).click();
  await expect(card(qin, title)).toContainText('待受理');

  const desk = await enter(browser, baseURL, clerk.token);
  await desk.goto('/order/list');
  const row = desk.getByRole('row').filter({ hasText: title });
  await row.getByRole('button', { name: '派单' }).click();
  await desk.getByRole('dialog').getByRole('combobox').first().click();
  await desk.locator('.ant-select-item-option').filter({ hasText: '夏铁柱' }).first().click();
  await desk.keyboard.press('Tab');
  await desk.getByRole('dialog').getByRole('button', { name: '派单' }).click();
  await expect(row).toHaveCount(0);

  const xia = await enter(browser, baseURL, (await caller(baseURL, 'xia.tiezhu')).token, phone);
  await xia.goto('/order/task');
  await expect(card(xia, title)).toContainText('已派单');
  expect(await xia.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await xia.context().setOffline(true);
  await card(xia, title).getByRole('button', { name: '接单' }).click();
  await card(xia, title).getByRole('button', { name: '到场' }).click();
  await expect(xia.getByText('等待网络恢复后提交')).toHaveCount(2);
  await xia.context().setOffline(false);
  await expect(xia.getByText('等待网络恢复后提交')).toHaveCount(0, { timeout: 120_000 });
  await expect(card(xia, title)).toContainText('处理中');
  const finish = async (result: string) => {
    await card(xia, title).getByRole('button', { name: '完工' }).click();
    await xia.getByRole('dialog').getByLabel('处理结果').fill(result);
    await xia.getByRole('dialog').getByRole('button', { name: '完工' }).click();
    await expect(card(xia, title)).toHaveCount(0);
  };
  await finish('更换了连接线，已经能用');

  await qin.goto('/myOrder');
  await expect(card(qin, title)).toContainText('待确认');
  await card(qin, title).getByRole('button', { name: '没修好，返工' }).click();
  await qin.getByRole('dialog').getByLabel('哪里没修好').fill('还是没有声音');
  await qin.getByRole('dialog').getByRole('button', { name: '没修好，返工' }).click();
  await expect(card(qin, title)).toContainText('处理中');

  await xia.goto('/order/task');
  await expect(card(xia, title)).toContainText('返工 1 次');
  await finish('声音线也换了，已试过');

  await qin.goto('/myOrder');
  await card(qin, title).getByRole('button', { name: '评价' }).click();
  await qin.getByRole('dialog').getByRole('combobox').first().click();
  await qin.locator('.ant-select-item-option').filter({ hasText: '满意' }).last().click();
  await qin.getByRole('dialog').getByRole('button', { name: '评价' }).click();
  await expect(card(qin, title)).toContainText('已评价');
});
