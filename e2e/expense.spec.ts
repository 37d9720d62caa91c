import { expect, type Page } from '@playwright/test';
import { buttonsOf, openHouse, type House } from '../modules/workflow/tickets/testing/card-house.ts';
import { noticeTypes } from '../modules/workflow/workflows/contract/notices.ts';
import { node, panel, setOut, type Journey } from './leave-journey.ts';
import { caller, test, turnsAt } from './office.ts';

const robot = '审批助手';
const keeps = '退回重办时，内容没有变化的，沿用原来的同意';

/** Clicks an option of an open list; a long list renders only the visible ones and is scrolled. */
async function take(page: Page, option: string): Promise<void> {
  const popup = page.locator('.ant-select-dropdown').filter({ visible: true }).last();
  await popup.locator('.ant-select-item-option').first().waitFor();
  const wanted = popup.locator('.ant-select-item-option').filter({ hasText: option }).first();
  for (const by of [-3000, 3000]) {
    if (await wanted.isVisible()) break;
    await popup.hover();
    await page.mouse.wheel(0, by);
    await page.waitForTimeout(300);
  }
  await wanted.click();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await take(page, option);
}

/** Describes a column or field in its panel. */
async function say(page: Page, id: string, part: { name: string; key: string; type?: string; formula?: string }) {
  if (part.type) {
    await page.locator(`#${id}-type`).click();
    await take(page, part.type);
  }
  await page.locator(`#${id}-name`).fill(part.name);
  await page.locator(`#${id}-key`).fill(part.key);
  if (part.formula) await page.locator(`#${id}-formula`).fill(part.formula);
}

/** Draws a form with expenses row by row, their sum, and the sum in words. */
async function drawForm(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^表单/ }).click();
  await page.getByRole('button', { name: '收起预览' }).click();
  await choose(page, '添加字段', '单行文字');
  await say(page, 'field', { name: '事由', key: 'purpose' });
  await choose(page, '添加字段', '表格');
  await say(page, 'field', { name: '明细', key: 'items' });
  const columns = [
    { name: '项目', key: 'what' },
    { name: '单价', key: 'price', type: '金额' },
    { name: '数量', key: 'count', type: '整数' },
    { name: '小计', key: 'cost', type: '金额', formula: '[单价] * [数量]' },
  ];
  const field = page.getByRole('region', { name: /^字段“/ });
  for (const [index, column] of columns.entries()) {
    if (index > 0) await field.getByRole('button', { name: '添加列' }).click();
    await field.locator('.ant-collapse-header').nth(index).click();
    await say(page, `column-${index}`, column);
  }
  await choose(page, '添加字段', '金额');
  await say(page, 'field', { name: '合计', key: 'total', formula: '合计([明细.小计])' });
  await choose(page, '添加字段', '单行文字');
  await say(page, 'field', { name: '大写', key: 'capitals', formula: '大写([合计])' });
}

/** Adds a state for superiors of a level, which leads to the end. */
async function addLevel(way: Journey, level: number, name: string): Promise<void> {
  const { page } = way;
  await page.getByRole('button', { name: '审批', exact: true }).click();
  const state = panel(way);
  await state.getByLabel('名称', { exact: true }).fill(name);
  await state.getByRole('tab', { name: '办理人' }).click();
  await state.getByRole('button', { name: '添加办理人' }).click();
  await choose(page, '办理人 1 的来源', '发起人的某一级上级');
  await state.getByLabel('第几级上级').fill(String(level));
  await state.getByRole('checkbox', { name: keeps }).check();
  // The handler for a future applicant, before anything is saved.
  await state.getByLabel('试查：谁发起时由谁办理').fill('qinhaoyu');
  await page.getByTitle('秦浩宇（计算机学院）').click();
  const who = level === 1 ? '宋明杰' : '刘翰林';
  await expect(state.getByRole('status').filter({ hasText: who })).toBeVisible();
  await choose(page, '添加流转到', '完成');
  await expect(state).toHaveAccessibleName('流转“同意”');
}

/** Connects the approval of one state to another state. */
async function lead(way: Journey, from: string, to: string): Promise<void> {
  await way.page.locator('.designer-parts').getByRole('button', { name: from, exact: true }).click();
  await panel(way).getByRole('button', { name: '同意 → 完成' }).click();
  await choose(way.page, '到', to);
}

/** Designs an expense claim from scratch: one named person checks it, then two levels of superiors approve it. */
async function designClaim(way: Journey): Promise<void> {
  const { page, flow } = way;
  await page.goto('/ticket/workflow');
  await page.getByRole('button', { name: '新增流程', exact: true }).click();
  const form = page.getByRole('dialog', { name: '新增流程' });
  await form.getByLabel('名称').fill(flow);
  await form.getByLabel('分类').fill('财务');
  await form.getByRole('button', { name: '新增流程' }).click();
  await expect(node(way, '发起')).toBeVisible();
  await drawForm(page);

  await page.getByRole('tab', { name: '设置' }).click();
  await choose(page, '通知方式', robot);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: '流程图' }).click();
  const state = panel(way);
  await node(way, '审批').click();
  await state.getByLabel('名称', { exact: true }).fill('事由核对');
  await choose(page, '办理人 1 的来源', '指定一人');
  await state.locator('.designer-person').getByRole('combobox').last().fill('hejing');
  await page.getByTitle(/^何静（/).click();
  await state.getByRole('checkbox', { name: keeps }).check();
  await state.getByRole('tab', { name: '字段权限' }).click();
  for (const hidden of ['明细', '合计', '大写'])
    await state
      .getByRole('radiogroup', { name: `字段“${hidden}”的权限` })
      .getByText('隐藏', { exact: true })
      .click();
  await addLevel(way, 1, '一级上级');
  await addLevel(way, 2, '二级上级');
  await page.getByRole('button', { name: '清单', exact: true }).click();
  await lead(way, '一级上级', '二级上级');
  await lead(way, '事由核对', '一级上级');
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const publishing = page.getByRole('dialog', { name: '发布为第 1 版' });
  await publishing.getByLabel('版本说明').fill('两级上级审批');
  await publishing.getByRole('button', { name: '发布', exact: true }).click();
  await expect(page.getByText('已发布第 1 版')).toBeVisible();
}

/**
 * Submitted, returned, changed in one row, and approved: a handler who does not see that row is not asked again, and the last one decides from a
 * card.
 */
async function runClaim({ page, origin, flow }: Journey, house: House): Promise<void> {
  const turn = turnsAt(page, origin);
  const log = page.getByRole('region', { name: '流转记录' });
  const head = page.locator('.kit-detail-head');
  const action = (name: string) => page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
  const computed = (name: string) =>
    page.locator('.ant-form-item').filter({ has: page.getByText(name, { exact: true }) });

  await turn('qin.haoyu');
  await page.goto('/ticket/new');
  await page.getByRole('button', { name: new RegExp(`^${flow}`) }).click();
  await page.getByLabel('标题').fill('赴蓉参会');
  await page.getByLabel('事由').fill('学术会议');
  for (const [row, what, price, count] of [
    [1, '高铁票', '463.5', '2'],
    [2, '住宿', '320', '3'],
  ] as const) {
    await page.getByRole('button', { name: '添加一行' }).click();
    await page.getByLabel(`第 ${row} 行 项目`).fill(what);
    await page.getByLabel(`第 ${row} 行 单价`).fill(price);
    await page.getByLabel(`第 ${row} 行 数量`).fill(count);
  }
  await expect(computed('合计')).toHaveText(/1,887\.00/);
  await expect(computed('大写')).toHaveText(/壹仟捌佰捌拾柒元整/);
  await page.getByRole('button', { name: '提交' }).click();
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);
  await expect(log).toContainText('等待 何静');
  const { pathname } = new URL(page.url());
  const open = async (name: string) => {
    await turn(name);
    await page.goto(pathname);
    await expect(head).toContainText('赴蓉参会');
  };

  await open('he.jing');
  await expect(action('同意')).toBeVisible();
  await expect(page.getByText('高铁票')).toHaveCount(0);
  await action('同意').click();
  await expect(log).toContainText('等待 宋明杰');

  await open('song.mingjie');
  await action('退回').click();
  const back = page.getByRole('dialog', { name: '退回', exact: true });
  await back.getByLabel('退回到').click();
  await take(page, '发起');
  await back.getByLabel('退回原因').fill('住宿只有两晚');
  await back.getByRole('button', { name: '退回', exact: true }).click();
  await expect(log).toContainText('等待 秦浩宇');

  await open('qin.haoyu');
  await page.getByLabel('第 2 行 数量').fill('2');
  await expect(page.getByText('1,567.00 元')).toBeVisible();
  await action('提交').click();
  // The purpose is unchanged, so the person who approved it is not asked again.
  await expect(log).toContainText('等待 宋明杰');
  await expect(log).toContainText('看到的内容没有变化，沿用原来的意见');

  await open('song.mingjie');
  const since = page.getByRole('list', { name: '上次办理之后的变化' });
  await expect(since).toContainText('第 2 行数量 3');
  await expect(since).toContainText('1567');
  await action('同意').click();
  await expect(log).toContainText('等待 刘翰林');

  const card = () =>
    house
      .cards()
      .find(({ body }) => body['receive_id'] === 'liu.hanlin' && String(body['content']).includes('赴蓉参会'));
  await expect.poll(card).toBeTruthy();
  const [, address] = Object.entries(buttonsOf(card()!)).find(([label]) => label.includes('同意'))!;
  await page.goto(address);
  await expect(page.getByText('将以 刘翰林 的名义办理，只能办理一次。')).toBeVisible();
  await expect(page.getByText('壹仟伍佰陆拾柒元整')).toBeVisible();
  await page.getByLabel('意见').fill('从手机同意');
  await page.getByRole('button', { name: '同意', exact: true }).click();
  await expect(page.getByText('办理成功')).toBeVisible();
  await expect.poll(() => house.updates().length).toBeGreaterThan(0);

  await open('qin.haoyu');
  await expect(head).toContainText('已通过');
  await expect(log).toContainText('从手机同意');
}

test('an administrator designs an expense claim, which is filed, returned, changed in a row, approved at two levels and decided from a card', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(500_000);
  const house = await openHouse();
  try {
    const admin = await caller(baseURL, 'admin');
    const body = { name: robot, type_id: noticeTypes.feishu_app, hook_url: house.url, card_decides: 2 };
    const made = await admin.ask('POST', '/api/workflows/custom_notices/', {
      ...body,
      appkey: 'cli_1',
      appsecret: 'S1',
    });
    expect(made).toMatchObject({ code: 0 });
    const way = await setOut(browser, baseURL, `逐级报销${test.info().retry || ''}`);
    way.page.setDefaultTimeout(60_000);
    await designClaim(way);
    await runClaim(way, house);
  } finally {
    house.close();
  }
});
