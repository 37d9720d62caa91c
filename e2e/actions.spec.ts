import { expect, type Page } from '@playwright/test';
import { caller, enter, test, type Caller } from './office.ts';

const names = ['qin.haoyu', 'song.mingjie', 'jia.shunli'] as const;
type Name = (typeof names)[number];
const callers = new Map<string, Caller>();
let origin: string | undefined;

test.beforeAll(async ({ browserName: _browser }, info) => {
  origin = info.project.use.baseURL;
  for (const name of names) callers.set(name, await caller(origin, name));
});

const ask = (name: Name): Caller => {
  const one = callers.get(name);
  if (!one) throw new Error(`${name} is not there`);
  return one;
};
const bar = (page: Page) => page.locator('footer[aria-label=操作]');
const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const head = (page: Page) => page.locator('.kit-detail-head');
const drawer = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** Clicks an entry of the menu 更多. */
async function more(page: Page, name: string): Promise<void> {
  await action(page, '更多').click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Picks a person by name in an open drawer. */
async function pick(page: Page, title: string, label: string, name: string): Promise<void> {
  const field = drawer(page, title).getByLabel(label);
  await field.fill(name);
  await page.locator('.ant-select-item-option').filter({ hasText: name }).first().click();
  await field.blur();
}

async function press(page: Page, title: string): Promise<void> {
  await drawer(page, title).getByRole('button', { name: title, exact: true }).click();
  await expect(drawer(page, title)).toHaveCount(0);
}

/** Submits a leave of 秦浩宇 by calls. */
async function leave(days: number, reason: string, submits = true): Promise<number> {
  const flows = await ask('qin.haoyu').ask('GET', '/api/workflows/?per_page=100');
  const { id } = flows.data.value.find((flow: { name: string }) => flow.name === '请假申请') as { id: number };
  const started = await ask('qin.haoyu').ask('POST', '/api/tickets/', {
    workflow_id: id,
    transition_id: submits ? 2 : 1,
    kind: 'personal',
    from: '2026-12-01',
    to: `2026-12-0${days}`,
    reason,
  });
  expect(started).toMatchObject({ code: 0 });
  return started.data.id as number;
}

test('a task handed over leaves its sender’s list and appears in the receiver’s', async ({ browser }) => {
  const id = await leave(1, '转交一次');
  const song = await enter(browser, origin, ask('song.mingjie').token);
  await song.goto(`/ticket/detail/${id}`);
  await more(song, '转交');
  await drawer(song, '转交').getByRole('button', { name: '转交', exact: true }).click();
  await expect(drawer(song, '转交').getByRole('alert').first()).toContainText('请选择人员');
  await pick(song, '转交', '转交给', '贾顺利');
  await press(song, '转交');
  await expect(action(song, '同意')).toHaveCount(0);
  const mine = await ask('song.mingjie').ask('GET', `/api/tickets/?category=duty&ticket_ids=${id}`);
  const theirs = await ask('jia.shunli').ask('GET', `/api/tickets/?category=duty&ticket_ids=${id}`);
  expect([mine.data.total, theirs.data.total]).toEqual([0, 1]);
});

test('a withdrawn ticket returns to its creator, and a handler who has it open is told by whom and when', async ({
  browser,
}) => {
  const id = await leave(1, '撤回一次');
  const song = await enter(browser, origin, ask('song.mingjie').token);
  const qin = await enter(browser, origin, ask('qin.haoyu').token);
  await song.goto(`/ticket/detail/${id}`);
  await song.getByLabel('意见').fill('写到一半的意见');
  await qin.goto(`/ticket/detail/${id}`);
  await action(qin, '撤回').click();
  await press(qin, '撤回');
  await expect(head(qin)).toContainText('已撤回');
  // The page follows the change; the written text stays, to be copied.
  await expect(head(song)).toContainText('已撤回');
  await expect(song.getByRole('region', { name: '流转记录' })).toContainText(/秦浩宇\s*撤回/);
  await expect(action(song, '同意')).toHaveCount(0);
  await expect(song.getByRole('alert').filter({ hasText: '写到一半的意见' })).toBeVisible();
});

test('tickets approved in a batch can be undone within ten seconds, and are sent when the page is left', async ({
  browser,
}) => {
  const ids = [await leave(1, '批量一'), await leave(2, '批量二'), await leave(1, '批量三')];
  const song = await enter(browser, origin, ask('song.mingjie').token);
  await song.goto('/ticket/duty?per_page=50');
  for (const id of ids) await song.locator(`tr[data-row-key="${id}"]`).getByRole('checkbox').check();
  await song.getByRole('button', { name: '批量同意' }).click();
  const box = drawer(song, '批量同意');
  await expect(box.getByRole('button', { name: '同意 3 张' })).toBeVisible();
  expect(await ask('qin.haoyu').ask('POST', `/api/tickets/${ids[1]}/retreat/`, {})).toMatchObject({ code: 0 });
  await box.getByRole('button', { name: '同意 3 张' }).click();
  for (const id of ids) await expect(song.locator(`tr[data-row-key="${id}"]`)).toHaveCount(0);
  // Nothing is sent before the delay is over: after undoing, all rows are there again.
  await song.getByRole('button', { name: '撤销' }).click();
  await expect(song.locator(`tr[data-row-key="${ids[0]}"]`)).toBeVisible();
  await song.locator(`tr[data-row-key="${ids[0]}"]`).getByRole('checkbox').check();
  await song.locator(`tr[data-row-key="${ids[2]}"]`).getByRole('checkbox').check();
  await song.getByRole('button', { name: '批量同意' }).click();
  expect(await ask('qin.haoyu').ask('POST', `/api/tickets/${ids[2]}/retreat/`, {})).toMatchObject({ code: 0 });
  await box.getByRole('button', { name: '同意 2 张' }).click();
  // Leaving the page sends what was delayed.
  await song.goto('/readyz');
  await expect
    .poll(
      async () => (await ask('song.mingjie').ask('GET', `/api/tickets/?category=duty&ticket_ids=${ids[0]}`)).data.total,
    )
    .toBe(0);
  await song.goto('/ticket/duty?per_page=50');
  await expect(song.locator('.ant-table-row').first()).toBeVisible();
  for (const id of ids) await expect(song.locator(`tr[data-row-key="${id}"]`)).toHaveCount(0);
});

test('a deleted ticket or message disappears at once, comes back by 撤销, and is otherwise gone', async ({
  browser,
}) => {
  const { ask: asked, token } = ask('qin.haoyu');
  const id = await leave(1, '不再需要', false);
  const qin = await enter(browser, origin, token);
  const row = qin.locator(`tr[data-row-key="ticket.${id}"]`);
  const remove = async () => {
    await qin.goto(`/ticket/detail/${id}`);
    await more(qin, '删除');
    await expect(qin).toHaveURL(/\/ticket\/owner/);
    await expect(qin.getByText(/删除“.*”，10 秒后提交/)).toBeVisible();
    await expect(row).toHaveCount(0);
  };
  await remove();
  await qin.getByRole('button', { name: '撤销' }).click();
  await expect(row).toBeVisible();
  await remove();
  await qin.getByRole('button', { name: '立即提交' }).click();
  await expect(qin.getByText('已删除', { exact: true })).toBeVisible();
  expect((await asked('GET', `/api/tickets/?category=owner&ticket_ids=${id}`)).data.total).toBe(0);

  const messages = async () => (await asked('GET', '/api/msg/count/')).data.total as number;
  const before = await messages();
  await qin.goto('/msg');
  const line = qin.locator('.ant-table-row').first();
  const key = await line.getAttribute('data-row-key');
  const message = qin.locator(`tr[data-row-key="${key}"]`);
  await line.getByRole('checkbox').check();
  await qin.getByRole('button', { name: '删除', exact: true }).click();
  await expect(message).toHaveCount(0);
  expect(await messages()).toBe(before);
  await qin.getByRole('button', { name: '撤销' }).click();
  await expect(message).toBeVisible();
  expect(await messages()).toBe(before);
});
