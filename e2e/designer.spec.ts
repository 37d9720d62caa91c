import { expect, type Locator, type Page } from '@playwright/test';
import { caller, enter, goTo, test } from './office.ts';

const panel = (page: Page): Locator => page.getByRole('complementary', { name: /^(环节|流转)「/ });
const node = (page: Page, name: string): Locator => page.locator('.react-flow__node').filter({ hasText: name });

async function choose(page: Page, label: Locator, option: string): Promise<void> {
  await label.click();
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

test('an administrator designs a leave workflow from nothing, mends a problem, publishes and simulates it', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(150_000);
  const admin = await caller(baseURL, 'admin');
  const page = await enter(browser, baseURL, admin.token);
  await page.goto('/index');
  await goTo(page, '工单', '流程管理');
  await page.getByRole('button', { name: '新增流程', exact: true }).click();
  const form = page.getByRole('dialog', { name: '新增流程' });
  await form.getByLabel('名称').fill('外出请假');
  await form.getByLabel('分类').fill('人事');
  await form.getByRole('button', { name: '新增流程' }).click();
  await expect(node(page, '发起')).toBeVisible();

  // The form: how many days.
  await page.getByRole('tab', { name: /^表单/ }).click();
  await choose(page, page.getByLabel('添加字段'), '小数');
  const field = page.getByRole('region', { name: /^字段「/ });
  await field.getByLabel('名称').fill('天数');
  await field.getByLabel('标识').fill('days');
  await expect(page.getByRole('region', { name: '预览' }).getByLabel('天数')).toBeVisible();

  // A second state, reached above three days, where several people sign.
  await page.getByRole('tab', { name: '流程图' }).click();
  await page.getByRole('button', { name: '审批', exact: true }).click();
  await panel(page).getByLabel('名称', { exact: true }).fill('校领导会签');
  await expect(node(page, '校领导会签').getByRole('img', { name: /个问题/ })).toBeVisible();
  await panel(page).getByRole('button', { name: '添加处理人' }).click();
  await choose(page, panel(page).getByLabel('处理人 1 的来源'), '指定多人');
  const people = panel(page).locator('.designer-person').getByRole('combobox').last();
  for (const [typed, shown] of [
    ['liuhanlin', '刘翰林'],
    ['xuwenqing', '徐文清'],
  ] as const) {
    await people.fill(typed);
    await page.getByTitle(`${shown}（校领导）`).click();
  }
  await page.keyboard.press('Escape');
  await panel(page).getByText('会签（全部处理）').click();
  await choose(page, panel(page).getByLabel('添加流转到'), '完成');
  await expect(panel(page)).toHaveAccessibleName('流转「同意」');

  // Should they not act, it goes on by itself; the node says so.
  await panel(page).getByLabel('多久无人操作后自动执行').fill('48');
  await expect(node(page, '校领导会签')).toContainText('2 天后自动「同意」');

  // The branch on days at the button of the first approval.
  await node(page, '审批').filter({ hasText: '部门负责人' }).click();
  await panel(page).getByRole('button', { name: '同意 → 完成' }).click();
  await panel(page).getByRole('button', { name: '添加条件分支' }).click();
  await choose(page, panel(page).getByLabel('条件对象'), '天数');
  await panel(page).getByLabel('比较的值').fill('3');
  await choose(page, panel(page).getByLabel('条件 1 满足时到'), '校领导会签');
  await expect(page.getByRole('button', { name: '同意：天数 大于 3' })).toBeVisible();

  // A problem, told in the list, undone with the keyboard.
  const problems = page.getByRole('region', { name: '发布前检查' });
  await expect(problems).toContainText('没有发现问题');
  await node(page, '校领导会签').click();
  await panel(page).getByRole('button', { name: '同意 → 完成' }).click();
  await panel(page).getByRole('button', { name: '删除流转' }).click();
  await expect(problems).toContainText('没有出口');
  await problems
    .getByRole('button', { name: /没有出口/ })
    .first()
    .click();
  await expect(panel(page)).toHaveAccessibleName('环节「校领导会签」');
  await node(page, '校领导会签').focus();
  await page.keyboard.press('Control+z');
  await expect(problems).toContainText('没有发现问题');

  await page.keyboard.press('Control+s');
  await expect(page.getByText('草稿已保存，尚未发布')).toBeVisible();
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const publishing = page.getByRole('dialog', { name: '发布为第 1 版' });
  await publishing.getByLabel('版本说明').fill('三天以上由校领导会签');
  await publishing.getByRole('button', { name: '发布', exact: true }).click();
  await expect(page.getByText('已发布第 1 版')).toBeVisible();

  // The simulator walks the long way.
  await page.getByRole('button', { name: '模拟', exact: true }).click();
  const simulator = page.getByRole('dialog', { name: '模拟流程' });
  await simulator.getByRole('combobox', { name: '发起人' }).fill('qinhaoyu');
  await page.getByTitle('秦浩宇（计算机学院）').click();
  await simulator.getByLabel('标题').fill('外出调研');
  await simulator.getByRole('spinbutton', { name: '天数' }).fill('5');
  await simulator.getByRole('button', { name: '开始模拟' }).click();
  await expect(simulator.getByText(/走完全程/)).toBeVisible();
  const steps = simulator.getByRole('list', { name: '经过的环节' });
  await expect(steps).toContainText('校领导会签');
  await expect(steps).toContainText('刘翰林');
  await expect(simulator.locator('.flow-walked', { hasText: '校领导会签' }).first()).toBeVisible();

  await simulator.getByRole('spinbutton', { name: '天数' }).fill('2');
  await simulator.getByRole('button', { name: '开始模拟' }).click();
  await expect(steps).not.toContainText('校领导会签');
});
