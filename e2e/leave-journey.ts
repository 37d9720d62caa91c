import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import { caller, enter, turnsAt } from './office.ts';

/** One way to go through the same journey: on a desktop or with a phone. */
export interface Journey {
  page: Page;
  origin: string | undefined;
  phone: boolean;
  flow: string;
}

/** Opens the journey's window, signed in as the administrator. */
export async function setOut(
  browser: Browser,
  origin: string | undefined,
  flow: string,
  look: BrowserContextOptions = {},
): Promise<Journey> {
  const { token } = await caller(origin, 'admin');
  const page = await enter(browser, origin, token, look);
  return { page, origin, phone: look.hasTouch === true, flow };
}

/** Checks that nothing overflows the page sideways. */
async function fits({ page }: Journey): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

const press = ({ phone }: Journey, target: Locator): Promise<void> => (phone ? target.tap() : target.click());

async function choose({ page }: Journey, label: Locator, option: string): Promise<void> {
  await label.click();
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

/** The panel that edits the chosen part of the flow: beside the drawing, or over the whole screen. */
export const panel = ({ page, phone }: Journey): Locator =>
  page.getByRole(phone ? 'dialog' : 'complementary', { name: /^(环节|流转)“/ });
export const node = ({ page }: Journey, name: string): Locator =>
  page.locator('.react-flow__node').filter({ hasText: name });
export const problems = ({ page }: Journey): Locator => page.getByRole('region', { name: '发布前检查' });

async function openState(way: Journey, name: string, says: string): Promise<void> {
  const { page, phone } = way;
  if (!phone) return node(way, name).filter({ hasText: says }).click();
  await closePanel(way);
  await page.locator('.designer-parts').getByRole('button', { name, exact: true }).tap();
}

async function closePanel(way: Journey): Promise<void> {
  if (!way.phone) return;
  const close = panel(way).getByRole('button', { name: /close|关闭/i });
  await close.first().tap();
  await expect(panel(way)).toHaveCount(0);
}

/** Designs a leave from scratch: above three days the school's leaders sign it together. Leaves the draft open, without problems. */
export async function designLeave(way: Journey): Promise<void> {
  const { page, phone, flow } = way;
  await page.goto('/ticket/workflow');
  await press(way, page.getByRole('button', { name: '新增流程', exact: true }));
  const form = page.getByRole('dialog', { name: '新增流程' });
  await form.getByLabel('名称').fill(flow);
  await form.getByLabel('分类').fill('人事');
  await press(way, form.getByRole('button', { name: '新增流程' }));
  await expect(node(way, '发起')).toBeVisible();

  await press(way, page.getByRole('tab', { name: /^表单/ }));
  await choose(way, page.getByLabel('添加字段'), '小数');
  const field = page.getByRole('region', { name: /^字段“/ });
  await field.getByLabel('名称').fill('天数');
  await field.getByLabel('标识').fill('days');
  await expect(page.getByRole('region', { name: '预览' }).getByLabel('天数')).toBeVisible();
  await fits(way);

  // A returned leave goes straight back to the person who returned it, as long as the days are unchanged.
  await press(way, page.getByRole('tab', { name: '设置' }));
  await choose(way, page.getByLabel('退回后重新提交'), '关键字段未改时直达退回人');
  await choose(way, page.getByRole('combobox', { name: '关键字段' }), '天数');
  await page.keyboard.press('Escape');
  await fits(way);

  await press(way, page.getByRole('tab', { name: '流程图' }));
  if (phone) await choose(way, page.getByLabel('添加环节'), '审批');
  else await page.getByRole('button', { name: '审批', exact: true }).click();
  const state = panel(way);
  await state.getByLabel('名称', { exact: true }).fill('校领导会签');
  await press(way, state.getByRole('button', { name: '添加办理人' }));
  await choose(way, state.getByLabel('办理人 1 的来源'), '指定多人');
  const people = state.locator('.designer-person').getByRole('combobox').last();
  for (const [typed, shown] of [
    ['liuhanlin', '刘翰林'],
    ['xuwenqing', '徐文清'],
  ] as const) {
    await people.fill(typed);
    await press(way, page.getByTitle(`${shown}（校领导）`));
  }
  await page.keyboard.press('Escape');
  await press(way, state.getByText('会签（全部处理）'));
  await fits(way);
  await choose(way, state.getByLabel('添加流转到'), '完成');
  await expect(state).toHaveAccessibleName('流转“同意”');

  await openState(way, '审批', '部门负责人');
  await press(way, state.getByRole('button', { name: '同意 → 完成' }));
  await press(way, state.getByRole('button', { name: '添加条件分支' }));
  await choose(way, state.getByLabel('条件对象'), '天数');
  await state.getByLabel('比较的值').fill('3');
  await choose(way, state.getByLabel('条件 1 满足时到'), '校领导会签');
  await fits(way);
  await closePanel(way);
  if (phone) await expect(page.locator('.designer-parts')).toContainText('同意 → 完成（另有 1 个条件分支）');
  else await expect(page.getByRole('button', { name: '同意：天数 大于 3', exact: true })).toBeVisible();
  await expect(problems(way)).toContainText('没有发现问题');
  await fits(way);
}

export async function publishLeave(way: Journey): Promise<void> {
  const { page } = way;
  await press(way, page.getByRole('button', { name: '发布', exact: true }));
  const publishing = page.getByRole('dialog', { name: '发布为第 1 版' });
  await publishing.getByLabel('版本说明').fill('三天以上由校领导会签');
  await fits(way);
  await press(way, publishing.getByRole('button', { name: '发布', exact: true }));
  await expect(page.getByText('已发布第 1 版')).toBeVisible();
}

/** Checks that five days go to both leaders, and two days only to the head. */
export async function simulateLeave(way: Journey): Promise<void> {
  const { page } = way;
  await press(way, page.getByRole('button', { name: '模拟', exact: true }));
  const simulator = page.getByRole('dialog', { name: '模拟流程' });
  await simulator.getByRole('combobox', { name: '发起人' }).fill('qinhaoyu');
  await press(way, page.getByTitle('秦浩宇（计算机学院）'));
  await simulator.getByLabel('标题').fill('外出调研');
  const steps = simulator.getByRole('list', { name: '经过的环节' });
  const days = simulator.getByRole('spinbutton', { name: '天数' });
  await days.fill('5');
  await press(way, simulator.getByRole('button', { name: '开始模拟' }));
  await expect(simulator.getByText(/走完全程/)).toBeVisible();
  await expect(steps).toContainText('校领导会签');
  await expect(steps).toContainText('刘翰林');
  await expect(steps).toContainText('徐文清');
  await expect(simulator.locator('.flow-walked', { hasText: '校领导会签' }).first()).toBeVisible();
  await fits(way);
  await days.fill('2');
  await press(way, simulator.getByRole('button', { name: '开始模拟' }));
  await expect(steps).not.toContainText('校领导会签');
}

/** Runs the leave with five people: a clerk, the head with an added signer, and two leaders, one of whom returns it once. */
export async function runLeave(way: Journey): Promise<void> {
  const { page, phone, flow } = way;
  const turn = turnsAt(page, way.origin);
  const log = page.getByRole('region', { name: '流转记录' });
  const head = page.locator('.kit-detail-head');
  const bar = page.locator('footer[aria-label=操作]');
  const action = (name: string) => bar.getByRole('button', { name, exact: true });
  const drawer = (name: string) => page.getByRole('dialog', { name, exact: true });

  await turn('qin.haoyu');
  await page.goto('/ticket/new');
  await press(way, page.getByRole('button', { name: new RegExp(`^${flow}`) }));
  await page.getByLabel('标题').fill('外出调研');
  await page.getByRole('spinbutton', { name: '天数' }).fill('5');
  await fits(way);
  await press(way, page.getByRole('button', { name: '提交' }));
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);
  await expect(log).toContainText('等待 宋明杰');
  const { pathname } = new URL(page.url());
  const open = async (name: string) => {
    await turn(name);
    await page.goto(pathname);
    await expect(head).toContainText('外出调研');
    await fits(way);
  };

  await open('song.mingjie');
  if (phone) {
    for (const name of ['同意', '拒绝', '更多']) {
      await expect(action(name)).toBeInViewport({ ratio: 1 });
      expect((await action(name).boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
    }
  }
  await press(way, page.getByRole('button', { name: '为什么到我这里' }));
  await expect(page.getByText(/秦浩宇 .* 在“发起”办理：提交/)).toBeVisible();
  await page.keyboard.press('Escape');
  await press(way, action('更多'));
  await press(way, page.getByRole('menuitem', { name: '加签', exact: true }));
  const signers = drawer('加签').getByLabel('加签给');
  await signers.fill('贾顺利');
  await press(way, page.locator('.ant-select-item-option').filter({ hasText: '贾顺利' }).first());
  await signers.blur();
  await drawer('加签').getByLabel('说明').fill('请核对值班安排');
  await fits(way);
  await press(way, drawer('加签').getByRole('button', { name: '加签', exact: true }));
  await expect(log).toContainText('等待 贾顺利');
  await expect(action('同意')).toHaveCount(0);

  await open('jia.shunli');
  await expect(page.getByRole('alert').filter({ hasText: '请核对值班安排' })).toBeInViewport();
  await press(way, action('完成加签'));
  await drawer('完成加签').getByLabel('意见').fill('值班已换好');
  await press(way, drawer('完成加签').getByRole('button', { name: '完成加签', exact: true }));
  await expect(log).toContainText('等待 宋明杰');

  await open('song.mingjie');
  await expect(log).toContainText('值班已换好');
  await press(way, action('同意'));
  await expect(log).toContainText('等待 刘翰林、徐文清');

  await open('liu.hanlin');
  await press(way, action('退回'));
  const back = drawer('退回');
  await press(way, back.getByRole('button', { name: '退回', exact: true }));
  await expect(back.getByRole('alert').first()).toContainText('退回原因');
  await choose(way, back.getByLabel('退回到'), '发起');
  await back.getByLabel('改好后直接回到我').check();
  await back.getByLabel('退回原因').fill('请写明去哪里');
  await fits(way);
  await press(way, back.getByRole('button', { name: '退回', exact: true }));
  await expect(log).toContainText('等待 秦浩宇');

  await open('qin.haoyu');
  await expect(head).toContainText('已退回');
  await expect(page.getByRole('alert').filter({ hasText: '请写明去哪里' })).toBeInViewport();
  await page.getByRole('textbox', { name: '标题' }).fill('外出调研（成都）');
  await press(way, action('提交'));
  await expect(log).toContainText('等待 刘翰林、徐文清');
  await expect(log.getByRole('list', { name: '修改的内容' })).toContainText('外出调研 → 外出调研（成都）');

  for (const [name, then] of [
    ['liu.hanlin', '等待 徐文清'],
    ['xu.wenqing', '已办结'],
  ] as const) {
    await open(name);
    await press(way, action('同意'));
    await expect(log).toContainText(then);
  }
  await expect(head).toContainText('已通过');
  await press(way, page.getByText('流程图', { exact: true }));
  await expect(page.getByRole('figure', { name: /流程图/ })).toBeVisible();
  await fits(way);
}
