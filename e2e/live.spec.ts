import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, type WebSocket } from '@playwright/test';
import { caller, enter, test, type Caller } from './office.ts';

let admin: Caller;
let reader: Caller;
let me: number;
test.beforeAll(async ({ browserName: _browser }, info) => {
  const origin = info.project.use.baseURL;
  admin = await caller(origin, 'admin');
  reader = await caller(origin, 'jia.shunli');
  me = (await reader.ask('GET', '/api/accounts/users/info/')).data.id;
});

const announce = async (title: string) => {
  const body = { title, content: '请各位知悉', recipients: { users: [me] } };
  expect((await admin.ask('POST', '/api/msg/', body)).code).toBe(0);
};
/** Opens a page and waits for the greeting of its socket. */
async function look(page: Page, path: string): Promise<WebSocket> {
  const opened = page.waitForEvent('websocket');
  const greeted = opened.then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(path);
  await greeted;
  return opened;
}
const unread = (page: Page, count: number) => page.getByRole('button', { name: `消息，${count} 条未读` });

test('news arrives live in every window without disturbing a selection or a half-typed form', async ({
  browser,
}, info) => {
  await reader.ask('PUT', '/api/msg/user/set_all_read/', {});
  await announce('第一条通知');
  const list = await enter(browser, info.project.use.baseURL, reader.token);
  const form = await enter(browser, info.project.use.baseURL, reader.token);
  const [socket] = await Promise.all([look(list, '/msg?readState=1'), look(form, '/user/profile')]);
  const heartbeat = socket.waitForEvent('framesent');
  const room = form.getByLabel('办公室');
  await room.fill('行政楼 2');
  const rows = list.locator('.ant-table-row');
  await rows.filter({ hasText: '第一条通知' }).getByRole('checkbox').check();
  await expect(unread(list, 1)).toBeVisible();

  await announce('第二条通知');
  await expect(unread(list, 2)).toBeVisible();
  await expect(unread(form, 2)).toBeVisible();
  const news = list.getByRole('status').filter({ hasText: '有 1 条新记录，点击刷新' });
  await expect(news).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await list.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page: list })
      .setLegacyMode(true)
      .include('.kit-news')
      .withRules('color-contrast')
      .analyze();
    expect(violations, `the words stand out from the bar in ${colorScheme}`).toEqual([]);
  }
  await list.emulateMedia({ colorScheme: 'light' });
  await expect(rows).toHaveCount(1);
  await expect(list.getByText('已选 1 项')).toBeVisible();
  await expect(room).toHaveValue('行政楼 2');
  await expect(room).toBeFocused();

  await news.click();
  await expect(rows).toHaveCount(2);
  await expect(list.getByText('已选 1 项')).toBeVisible();
  await expect(news).toBeHidden();
  expect((await heartbeat).payload).toBe('jia.shunli');
});
