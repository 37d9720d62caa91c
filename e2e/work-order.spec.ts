import { expect, type Page } from '@playwright/test';
import { caller, fillRepair, test, turnsAt, type Caller } from './office.ts';

// Long tests that are independent of each other.
test.describe.configure({ mode: 'parallel' });

const names = ['qin.haoyu', 'song.mingjie', 'liu.hanlin', 'jia.shunli', 'xia.tiezhu'] as const;
type Name = (typeof names)[number];
const callers = new Map<string, Caller>();
test.beforeAll(async ({ browserName: _browser }, info) => {
  for (const name of names) callers.set(name, await caller(info.project.use.baseURL, name));
});

const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const log = (page: Page) => page.getByRole('region', { name: '流转记录' });
const status = (page: Page) => page.locator('.kit-detail-head');

/** Starts a repair from the cards of 发起工单 and returns the address of the ticket. */
async function start(page: Page, title: string, amount: string): Promise<string> {
  await page.goto('/ticket/new');
  await page.getByRole('button', { name: /^信息化服务/ }).click();
  await fillRepair(page, title, amount);
  await page.getByRole('button', { name: '提交信息化服务' }).click();
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);
  await expect(status(page)).toContainText(title);
  return new URL(page.url()).pathname;
}

/** Opens a ticket from the person's list of tasks. */
async function take(page: Page, title: string): Promise<void> {
  await page.goto(`/ticket/duty?search_value=${encodeURIComponent(title)}`);
  // A mark before the title shows that others acted since the person last looked.
  await page.getByRole('link', { name: new RegExp(`^新? ?${title}$`) }).click();
  await expect(status(page)).toContainText(title);
}

/** The number of times that a ticket is in a person's list of tasks. */
async function listed(name: Name, title: string): Promise<number> {
  const found = await callers
    .get(name)
    ?.ask('GET', `/api/tickets/?category=duty&search_value=${encodeURIComponent(title)}`);
  return found?.data.total;
}

async function finish(page: Page): Promise<void> {
  await page.getByLabel('处理结果').fill('换了一截水管，已不漏水');
  await action(page, '完成').click();
  const question = page.getByRole('dialog').filter({ hasText: '完成后工单即办结' });
  await question.getByRole('button', { name: '完成', exact: true }).click();
  await expect(log(page)).toContainText('已办结');
}

test('a small repair goes from the clerk by way of the head to the person who claims it, and the clerk sees it done', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const title = '水池漏水';
  await turn('qin.haoyu');
  const address = await start(page, title, '200');
  await expect(log(page)).toContainText('等待 宋明杰');
  await expect(action(page, '同意')).toHaveCount(0);
  expect(await listed('jia.shunli', title)).toBe(0);

  await turn('song.mingjie');
  await take(page, title);
  await page.getByLabel('意见').fill('请尽快修');
  const state = () => page.evaluate(() => JSON.parse(localStorage.getItem('ticketState') ?? '{}'));
  const ticketId = Number(address.split('/').at(-1));
  await expect.poll(state).toMatchObject({ ticketId, label: title, notes: '请尽快修' });
  expect((await state()).buttonList).toEqual(expect.arrayContaining(['同意', '拒绝']));
  await page.goto('/index');
  await page.getByText('意见写到一半').getByRole('link', { name: title }).click();
  await expect(page.getByLabel('意见')).toHaveValue('请尽快修');
  await action(page, '同意').click();
  await expect(log(page)).toContainText('等待 贾顺利、夏铁柱');
  expect(await listed('liu.hanlin', title)).toBe(0);

  expect(await listed('xia.tiezhu', title)).toBe(1);
  await turn('jia.shunli');
  await take(page, title);
  await action(page, '接单').click();
  await expect(action(page, '完成')).toBeVisible();
  expect(await listed('xia.tiezhu', title)).toBe(0);
  await finish(page);

  await turn('qin.haoyu');
  await page.goto(address);
  await expect(status(page)).toContainText('已通过');
  await expect(log(page).locator('[aria-current=step]')).toContainText('完成');
  await expect(log(page)).not.toContainText('分管领导审批 等待');
  await expect(log(page).locator('.timeline > li:not(:has([aria-current=step]))')).toContainText([
    /贾顺利.*完成/,
    /贾顺利.*接单/,
    /宋明杰.*同意.*请尽快修/,
    /秦浩宇.*提交/,
  ]);
});

test('a repair above 5000 goes to the leader in charge as well', async ({ page, baseURL }) => {
  const turn = turnsAt(page, baseURL);
  const title = '更换整层水管';
  await turn('qin.haoyu');
  await start(page, title, '5000.01');
  await turn('song.mingjie');
  await take(page, title);
  await action(page, '同意').click();
  await expect(log(page)).toContainText('等待 刘翰林');
  expect(await listed('jia.shunli', title)).toBe(0);
  await turn('liu.hanlin');
  await take(page, title);
  await action(page, '同意').click();
  await expect(log(page)).toContainText('等待 贾顺利、夏铁柱');
  await turn('xia.tiezhu');
  await take(page, title);
  await action(page, '接单').click();
  await finish(page);
});

test('a refusal needs a reason and returns to the creator, who corrects and resubmits it', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const title = '灯不亮';
  await turn('qin.haoyu');
  await start(page, title, '80');
  await turn('song.mingjie');
  await take(page, title);
  await action(page, '拒绝').click();
  await expect(page.getByRole('alert').first()).toContainText('需要填写意见');
  await page.getByLabel('意见').fill('请写明是哪一盏');
  await action(page, '拒绝').click();
  await expect(log(page)).toContainText('等待 秦浩宇');

  await turn('qin.haoyu');
  await take(page, title);
  await expect(log(page)).toContainText('请写明是哪一盏');
  await page.getByRole('textbox', { name: '标题' }).fill('讲台上方的灯不亮');
  await action(page, '提交').click();
  await expect(log(page)).toContainText('等待 宋明杰');
  await turn('song.mingjie');
  await take(page, '讲台上方的灯不亮');
  await action(page, '同意').click();
  await expect(log(page)).toContainText('等待 贾顺利、夏铁柱');
});

test('the number beside 我的待办 is the total of the list', async ({ page, baseURL }) => {
  const jia = await turnsAt(page, baseURL)('jia.shunli');
  const total = (await jia.ask('GET', '/api/tickets/?category=duty&per_page=1')).data.total as number;
  expect(total).toBeGreaterThan(0);
  await page.goto('/ticket/duty');
  await expect(page.getByText(`共 ${total} 条`)).toBeVisible();
  await expect(page.getByRole('link', { name: /我的待办/ }).locator('.count')).toHaveAttribute(
    'aria-label',
    `${total} 项`,
  );
});
