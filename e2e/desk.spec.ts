import { expect, type Page } from '@playwright/test';
import { caller, enter, stand, test, type Caller } from './office.ts';

let origin: string | undefined;
let song: Caller;
let qin: Caller;
let page: Page;

/** Creates a leave of 秦浩宇 that waits for 宋明杰. */
async function leave(reason: string): Promise<number> {
  const flows = await qin.ask('GET', '/api/workflows/?per_page=100');
  const { id } = flows.data.value.find((flow: { name: string }) => flow.name === '请假申请') as { id: number };
  const dates = { from: '2026-12-01', to: '2026-12-02', days: 2 };
  const body = { workflow_id: id, transition_id: 2, kind: 'personal', reason, ...dates };
  const started = await qin.ask('POST', '/api/tickets/', body);
  expect(started).toMatchObject({ code: 0 });
  return started.data.id as number;
}
/** True if a ticket still waits for the head; when it moves on to another person it stays in progress. */
const waitsFor = async (id: number) => {
  const { data } = await song.ask('GET', '/api/tickets/?category=duty&per_page=100');
  return (data.value as { id: number }[]).some((row) => row.id === id);
};

/** Returns a function for the id of a ticket's row among everything that waits for the head. */
async function namesOf(): Promise<(id: number) => string> {
  const { data } = await song.ask('GET', '/api/waits/list/?category=ticket&per_page=100');
  const names = new Map((data.value as { of: number; id: string }[]).map((row) => [row.of, row.id]));
  return (id) => names.get(id) ?? `none of ${id}`;
}

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }, info) => {
  origin = info.project.use.baseURL;
  [song, qin] = await Promise.all([caller(origin, 'song.mingjie'), caller(origin, 'qin.haoyu')]);
  page = await enter(browser, origin, song.token);
});

test('the home page shows the first waiting items with requester and time, and one is decided with one click and taken back', async () => {
  const id = await leave('回家一趟');
  const rowOf = await namesOf();
  await stand(page);
  const list = page.getByRole('region', { name: '等我处理' });
  await expect(list.getByRole('listitem').first()).toContainText('办理');
  const { total } = (await song.ask('GET', '/api/waits/')).data as { total: number };
  expect(total).toBeGreaterThan(8);
  await expect(list.getByRole('listitem')).toHaveCount(8);
  // Items that a person requested show who and since when; a shift to be handed over, which has neither, comes first at its hour.
  await expect(
    list
      .getByRole('listitem')
      .filter({ hasText: /· .+ · 已等/ })
      .first(),
  ).toBeVisible();
  await list.getByRole('link', { name: `还有 ${total - 8} 项` }).click();
  await expect(page).toHaveURL(/\/todo/);
  await page.goto(`/todo?category=ticket&row=${rowOf(id)}&per_page=100`);
  const row = page.locator(`tr[data-row-key="${rowOf(id)}"]`);
  await row.getByRole('button', { name: '同意' }).click();
  await page.getByRole('button', { name: '撤销' }).click();
  await expect(row.getByRole('button', { name: '同意' })).toBeVisible();
  expect(await waitsFor(id)).toBe(true);
  await row.getByRole('button', { name: '同意' }).click();
  await page.getByRole('button', { name: '立即提交' }).click();
  // The row disappears before the decision reaches the server.
  await expect(row).toHaveCount(0);
  await expect.poll(() => waitsFor(id)).toBe(false);
});

test('the home page shows the person’s day without repeating waiting items, and administrators the site’s activity', async ({
  browser,
}) => {
  await stand(page);
  const links = page.getByRole('region', { name: '等我处理' }).getByRole('listitem').locator('.home-what a');
  await expect(links.first()).toBeVisible();
  for (const name of ['今天的会议', '今日值班', '我发起的'])
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: '系统运行' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: '等我处理' }).getByRole('listitem')).toHaveCount(8);

  const admin = await enter(browser, origin, (await caller(origin, 'admin')).token);
  await stand(admin);
  const strip = admin.getByRole('region', { name: '系统运行' });
  await expect(strip.getByRole('img', { name: /^近两周每日操作：/ })).toBeVisible();
  await strip.getByRole('link').last().click();
  await expect(admin).toHaveURL(/\/system\/log\?result=denied$/);
  await admin.context().close();
});

test('a to-do list has links as titles, unread ones bold, with waiting times; j and k move a preview, a approves in it', async () => {
  const [first, second] = [await leave('预览一'), await leave('预览二')];
  await page.goto('/ticket/duty');
  const row = (id: number) => page.locator(`tr[data-row-key="${id}"]`);
  const link = row(second).getByRole('link').first();
  await expect(link).toHaveAttribute('href', `/ticket/detail/${second}`);
  await expect(link).toHaveCSS('font-weight', '600');
  expect((await row(second).locator('.kit-main').boundingBox())?.width).toBeGreaterThanOrEqual(320);
  await expect(page.getByRole('columnheader', { name: '到达' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: '已等待' })).toBeVisible();
  await row(second).hover();
  await expect(row(second).getByRole('button', { name: '同意' })).toBeVisible();
  await page.mouse.move(0, 0);
  await page.keyboard.press('p');
  const preview = page.getByRole('complementary', { name: '预览' });
  await expect(preview).toContainText('预览二');
  await page.keyboard.press('j');
  await expect(preview).toContainText('预览一');
  await expect(preview.getByRole('button', { name: '同意', exact: true })).toBeEnabled();
  await page.keyboard.press('a');
  await expect.poll(() => waitsFor(first)).toBe(false);
  await expect(row(first)).toHaveCount(0);
  await page.keyboard.press('p');
  await expect(preview).toHaveCount(0);
});

test('a form shows its expected steps, and after submission its page offers another and follows what others do', async ({
  browser,
}) => {
  const form = await enter(browser, origin, qin.token);
  await stand(form, '/ticket/new');
  await form.getByRole('button', { name: /^请假申请/ }).click();
  const steps = form.getByRole('complementary', { name: '预计办理步骤' });
  await expect(steps).toContainText('宋明杰');
  await form.getByLabel('开始日期').fill('2026-12-01');
  await form.getByLabel('结束日期').fill('2026-12-04');
  await expect(steps).toContainText('分管领导');
  await form.getByLabel('开始日期').fill('2026-12-04');
  await form.getByLabel('结束日期').fill('2026-12-07');
  await expect(steps).toContainText('共 4 天，其中工作日 2 天');
  await form.getByRole('radio', { name: '事假' }).check();
  await form.getByLabel('事由').fill('跟着看');
  await form.getByRole('button', { name: '提交请假申请' }).click();
  await expect(form.getByText(/已提交 QJ\d+/).last()).toBeVisible();
  await expect(form.getByRole('link', { name: '再发起一份' })).toBeVisible();
  const log = form.getByRole('region', { name: '流转记录' });
  await expect(log).toContainText('等待 宋明杰');
  const id = Number(/detail\/(\d+)/.exec(form.url())?.[1]);

  await page.goto(`/ticket/detail/${id}`);
  await expect(page.locator('.kit-detail-head')).toContainText(/您是计算机学院的/);
  // Both see that the other has it open.
  await expect(page.getByText('秦浩宇 也在看')).toBeVisible();
  await page.getByLabel('意见').fill('路上小心');
  await page.locator('footer[aria-label=操作]').getByRole('button', { name: '同意', exact: true }).click();
  await expect(log).toContainText('路上小心');
  await expect(log).toContainText('用时');
  await form.context().close();
});

test('figures show units and the period before, and a table line links to its rows for those who may read them', async ({
  browser,
}) => {
  const admin = await enter(browser, origin, (await caller(origin, 'admin')).token);
  await stand(admin, '/ticket/statistics');
  const started = admin.locator('.figures-summary > div').first();
  await expect(started).toContainText(/发起[\d,]+ 张上期 [\d,]+ 张/);
  const months = admin.getByRole('region', { name: '每月发起、办结与处理' });
  await months.getByText('表', { exact: true }).click();
  await months.getByRole('link').last().click();
  await expect(admin).toHaveURL(/\/ticket\/all\?.*create_start=/);
  await expect(admin.locator('.ant-table-row').filter({ visible: true }).first()).toBeVisible();
  await admin.context().close();

  await page.goto('/ticket/statistics');
  const hers = page.getByRole('region', { name: '每月发起、办结与处理' });
  await hers.getByText('表', { exact: true }).click();
  await expect(hers.getByRole('row').nth(1)).toBeVisible();
  await expect(hers.getByRole('link')).toHaveCount(0);
});
