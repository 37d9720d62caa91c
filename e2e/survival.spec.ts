import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { startDemo } from '../apps/server/testing/demonstration.ts';
import type { Node } from '../apps/server/testing/node.ts';
import { quietPort } from '../apps/server/testing/port.ts';
import { caller, enter, fillRepair, signIn, test, type Caller } from './office.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-restart-'));
let port: number;
/** The product that is going to restart is set up while the first tests run. */
let another: Promise<Node>;
const startServer = () => startDemo(port, dataDir);
test.beforeAll(async () => {
  port = await quietPort();
  another = startServer();
  another.catch(() => undefined);
});
test.afterAll(async () => {
  await another.then(
    (server) => server.stop('SIGTERM'),
    () => undefined,
  );
  rmSync(dataDir, { recursive: true, force: true });
});

const send = (page: Page) => page.getByRole('button', { name: '提交信息化服务' }).click();

async function openRepair(page: Page, title: string): Promise<void> {
  await page.goto('/ticket/new');
  await page.getByRole('button', { name: /^信息化服务/ }).click();
  await fillRepair(page, title, '120');
}
async function stillThere(page: Page, title: string): Promise<void> {
  await expect(page.getByLabel('标题')).toHaveValue(title);
  await expect(page.getByRole('radio', { name: '网络' })).toBeChecked();
  await expect(page.getByLabel('地点')).toHaveValue('信息楼 305');
  await expect(page.getByLabel('预计金额')).toHaveValue('120');
  await expect(page.getByLabel('说明')).toHaveValue('水池下面的管子一直滴水');
}
async function sentOnce(page: Page, person: Caller, title: string): Promise<void> {
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);
  const list = await person.ask('GET', `/api/tickets/?category=owner&search_value=${encodeURIComponent(title)}`);
  expect(list.data.value.map((row: { title: string }) => row.title)).toEqual([title]);
}

test('a typed form survives the end of its session: its author signs in again, resumes the draft and sends it', async ({
  page,
  baseURL,
}) => {
  const title = '会话结束后提交';
  await signIn(page, 'qin.haoyu');
  await openRepair(page, title);
  const elsewhere = await caller(baseURL, 'qin.haoyu');
  const sessions = await elsewhere.ask('GET', '/api/accounts/sessions/');
  for (const session of sessions.data as { id: number; current: boolean }[])
    if (!session.current) await elsewhere.ask('DELETE', `/api/accounts/sessions/${session.id}/`);
  await send(page);
  const box = page.getByRole('dialog').filter({ hasText: '登录状态已过期' });
  await box.getByRole('button', { name: '取消' }).click();
  await stillThere(page, title);
  await send(page);
  await box.getByRole('button', { name: '重新登录' }).click();
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, 'qin.haoyu');
  await page.goto('/ticket/new');
  await page.getByRole('button', { name: /^信息化服务/ }).click();
  await page.getByRole('button', { name: '恢复草稿' }).click();
  await stillThere(page, title);
  await send(page);
  await sentOnce(page, elsewhere, title);
});

test('a typed form survives a network failure: it is reported at once, and sent once afterwards', async ({
  browser,
  baseURL,
}) => {
  const title = '断网后提交';
  const person = await caller(baseURL, 'qin.haoyu');
  const page = await enter(browser, baseURL, person.token);
  await openRepair(page, title);
  await page.context().setOffline(true);
  await send(page);
  await expect(page.getByText('后端接口连接异常，您填写的内容仍在')).toBeVisible();
  await stillThere(page, title);
  await page.context().setOffline(false);
  await send(page);
  await sentOnce(page, person, title);
});

test('an answer lost on its way back leaves one ticket, not two', async ({ browser, baseURL }) => {
  const title = '回执丢失后再次提交';
  const person = await caller(baseURL, 'qin.haoyu');
  const page = await enter(browser, baseURL, person.token);
  await openRepair(page, title);
  await page.route('**/api/tickets/', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send(page);
  await expect(page.getByText('后端接口连接异常，您填写的内容仍在')).toBeVisible();
  await page.unroute('**/api/tickets/');
  await send(page);
  await sentOnce(page, person, title);
});

test('a typed form survives a restart of the server, and so does the session', async ({ browser }) => {
  const title = '服务重启后提交';
  const server = await another;
  const person = await caller(server.url, 'qin.haoyu');
  const page = await enter(browser, server.url, person.token);
  await openRepair(page, title);
  expect(await server.stop('SIGTERM')).toBe(0);
  await send(page);
  await expect(page.getByText('后端接口连接异常，您填写的内容仍在')).toBeVisible();
  await stillThere(page, title);
  another = startServer();
  await another;
  await send(page);
  await sentOnce(page, person, title);
});
