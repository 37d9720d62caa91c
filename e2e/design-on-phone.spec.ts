import { expect, type Locator, type Page } from '@playwright/test';
import { caller, enter, test, turnsAt } from './office.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const flow = '手机请假';

async function choose(page: Page, label: Locator, option: string): Promise<void> {
  await label.click();
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

/** Nothing stands out of the page, and what is open can be read and touched. */
async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

test('a workflow with a branch is designed, published and simulated on a phone, and handled there', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const page = await enter(browser, baseURL, admin.token, phone);
  await page.goto('/ticket/workflow');
  await page.getByRole('button', { name: '新增流程', exact: true }).tap();
  const form = page.getByRole('dialog', { name: '新增流程' });
  await form.getByLabel('名称').fill(flow);
  await form.getByLabel('分类').fill('人事');
  await form.getByRole('button', { name: '新增流程' }).tap();

  await page.getByRole('tab', { name: /^表单/ }).tap();
  await choose(page, page.getByLabel('添加字段'), '小数');
  const field = page.getByRole('region', { name: /^字段「/ });
  await field.getByLabel('名称').fill('天数');
  await field.getByLabel('标识').fill('days');
  await fits(page);

  // Without a drawing to draw on: the states as a list, each opened over the whole screen.
  await page.getByRole('tab', { name: '流程图' }).tap();
  const parts = page.locator('.designer-parts');
  await choose(page, page.getByLabel('添加环节'), '审批');
  const drawer = page.getByRole('dialog', { name: /^(环节|流转)「/ });
  await drawer.getByLabel('名称', { exact: true }).fill('校领导审批');
  await drawer.getByRole('button', { name: '添加处理人' }).tap();
  await choose(page, drawer.getByLabel('处理人 1 的来源'), '指定多人');
  await drawer.locator('.designer-person').getByRole('combobox').last().fill('liuhanlin');
  await page.getByTitle('刘翰林（校领导）').tap();
  await page.keyboard.press('Escape');
  await choose(page, drawer.getByLabel('添加流转到'), '完成');
  await expect(drawer).toHaveAccessibleName('流转「同意」');
  await fits(page);
  await drawer
    .getByRole('button', { name: /close|关闭/i })
    .first()
    .tap();

  await parts
    .getByRole('button', { name: /^同意 → 完成/ })
    .first()
    .tap();
  await drawer.getByRole('button', { name: '添加条件分支' }).tap();
  await choose(page, drawer.getByLabel('条件对象'), '天数');
  await drawer.getByLabel('比较的值').fill('3');
  await choose(page, drawer.getByLabel('条件 1 满足时到'), '校领导审批');
  await fits(page);
  await drawer
    .getByRole('button', { name: /close|关闭/i })
    .first()
    .tap();
  await expect(parts).toContainText('同意 → 完成（另有 1 个条件分支）');
  await expect(page.getByRole('region', { name: '发布前检查' })).toContainText('没有发现问题');

  await page.getByRole('button', { name: '发布', exact: true }).tap();
  const publishing = page.getByRole('dialog', { name: '发布为第 1 版' });
  await publishing.getByRole('button', { name: '发布', exact: true }).tap();
  await expect(page.getByText('已发布第 1 版')).toBeVisible();

  await page.getByRole('button', { name: '模拟', exact: true }).tap();
  const simulator = page.getByRole('dialog', { name: '模拟流程' });
  await simulator.getByRole('combobox', { name: '发起人' }).fill('qinhaoyu');
  await page.getByTitle('秦浩宇（计算机学院）').tap();
  await simulator.getByLabel('标题').fill('外出调研');
  await simulator.getByRole('spinbutton', { name: '天数' }).fill('5');
  await simulator.getByRole('button', { name: '开始模拟' }).tap();
  const walked = simulator.getByRole('list', { name: '经过的环节' });
  await expect(walked).toContainText('校领导审批');
  await expect(walked).toContainText('刘翰林');
  await fits(page);

  const turn = turnsAt(page, baseURL);
  await turn('qin.haoyu');
  await page.goto('/ticket/new');
  await page.getByRole('button', { name: new RegExp(`^${flow}`) }).tap();
  await page.getByLabel('标题').fill('手机上请假');
  await page.getByRole('spinbutton', { name: '天数' }).fill('5');
  await page.getByRole('button', { name: '提交' }).tap();
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);
  const { pathname } = new URL(page.url());
  await fits(page);

  for (const name of ['song.mingjie', 'liu.hanlin']) {
    await turn(name);
    await page.goto(pathname);
    await page.locator('footer[aria-label=操作]').getByRole('button', { name: '同意', exact: true }).tap();
    const next = name === 'liu.hanlin' ? '已办结' : '等待 刘翰林';
    await expect(page.getByRole('region', { name: '步骤' })).toContainText(next);
    await fits(page);
  }
});
