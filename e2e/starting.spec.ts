import { expect, type Page } from '@playwright/test';
import { caller, enter, test } from './office.ts';

// The tests are independent of each other.
test.describe.configure({ mode: 'parallel' });

const looks = [
  { name: 'a wide window', viewport: { width: 1440, height: 900 } },
  { name: 'a phone', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];
const fits = async (page: Page) => {
  const width = page.viewportSize()!.width;
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
};

for (const { name, ...look } of looks) {
  test(`on ${name} a new workflow is chosen from the gallery by pinyin, previewed, renamed, and opened in the designer`, async ({
    browser,
    baseURL,
  }) => {
    const admin = await caller(baseURL, 'shi.yufei');
    const page = await enter(browser, baseURL, admin.token, look);
    await page.goto('/ticket/workflow');
    await page.getByRole('button', { name: '新增流程', exact: true }).click();
    const adding = page.getByRole('dialog', { name: '新增流程' });
    await adding.getByLabel('查找模板').fill('baoxiao');
    await adding.locator('.flow-template').filter({ hasText: '费用报销' }).click();
    const details = adding.getByRole('region', { name: '模板“费用报销”' });
    await expect(details.locator('.react-flow__node').filter({ hasText: '财务付款' })).toBeAttached();
    await expect(details.getByText('报销明细（发生日期、类别、摘要、金额）')).toBeAttached();
    await fits(page);
    const wanted = `差旅报销 ${look.viewport.width}-${test.info().retry}`;
    await adding.getByLabel('名称').fill(wanted);
    await adding.getByRole('button', { name: '新增流程' }).click();
    await expect(page).toHaveURL(/\/ticket\/workflow\/design\/\d+/);
    const designer = page.getByRole('region', { name: `设计流程“${wanted}”` });
    await expect(designer.getByRole('heading', { level: 1, name: wanted })).toBeVisible();
    await fits(page);
    await page.context().close();
  });

  test(`on ${name} everything that can be started is found in one place and leads to its form`, async ({
    browser,
    baseURL,
  }) => {
    const page = await enter(browser, baseURL, (await caller(baseURL, 'song.mingjie')).token, look);
    await page.goto('/ticket/new');
    await expect(page.getByRole('link', { name: /^用印/ }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^请假申请/ }).first()).toBeVisible();
    await fits(page);
    for (const [said, heading] of [
      ['用印', '申请用印'],
      ['合同', '起草合同'],
      ['会议', '申请会议'],
      ['报修订单', '报修'],
    ]) {
      await page.goto('/ticket/new');
      await page
        .getByRole('link', { name: new RegExp(`^${said}`) })
        .first()
        .click();
      await expect(page.getByRole('heading', { level: 1, name: new RegExp(heading!) })).toBeVisible();
    }
    // The server keeps the recently started items for the person.
    await page.waitForLoadState('networkidle');
    await page.goto('/ticket/new');
    const last = page.getByRole('navigation', { name: '最近发起' });
    await expect(last.getByRole('link').first()).toHaveText('报修订单');
    await page.getByLabel('查找可发起的事项').fill('yongy');
    await expect(page.getByRole('link', { name: /^用印/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /^请假申请/ })).toHaveCount(0);
    await page.context().close();
  });
}
