import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, expect, type Page } from '@playwright/test';
import { browserFlags, findBrowser } from '../scripts/find-browser.ts';
import { caller, enter, firstLevel, handOver, stand, tab, test } from './office.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
test.describe.configure({ mode: 'parallel' });

test('tabs show the numbers of records, overflow into one list, and close by the middle button', async ({
  page,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const { data } = await admin.ask('GET', '/api/tickets/?category=all&per_page=1');
  const [ticket] = data.value as { id: number; sn: string }[];
  await handOver(page, admin.token);
  await page.setViewportSize({ width: 1100, height: 600 });
  await stand(page, `/ticket/detail/${ticket!.id}`);
  await expect(page.getByRole('navigation', { name: '标签页' }).getByRole('tab', { selected: true })).toContainText(
    ticket!.sn,
  );
  for (const one of ['user', 'role', 'menu', 'dept', 'button', 'log', 'site', 'delivery'])
    await stand(page, `/system/${one}`);
  await expect(page.locator('.tab[data-active=true]')).toBeInViewport({ ratio: 0.98 });
  const all = page.getByRole('button', { name: /^全部 \d+$/ });
  await all.click();
  await page.getByRole('menuitem', { name: '角色管理' }).click();
  await expect(page).toHaveURL(/\/system\/role$/);
  await expect(page.locator('.tab[data-active=true]')).toBeInViewport({ ratio: 0.98 });
  await tab(page, '菜单管理').click({ button: 'middle' });
  await expect(tab(page, '菜单管理')).toHaveCount(0);
  await expect(page).toHaveURL(/\/system\/role$/);
});

test('a list keeps its filters and scroll position through a reload', async ({ page, baseURL }) => {
  await handOver(page, (await caller(baseURL, 'admin')).token);
  await page.setViewportSize({ width: 1280, height: 500 });
  await stand(page, '/system/user?per_page=50&is_active=true');
  await expect(page.locator('.ant-table-row').nth(30)).toBeAttached();
  const top = () => page.getByRole('main').evaluate((main) => main.scrollTop);
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, 700));
  await page.reload();
  await expect(page.locator('.ant-table-row').nth(30)).toBeAttached();
  await expect.poll(top).toBe(700);
  expect(new URL(page.url()).searchParams.get('is_active')).toBe('true');
});

test('a phone shows no tab bar, rows as cards of two lines, filters behind one button, and going back closes what is open', async ({
  browser,
  baseURL,
}) => {
  const song = await caller(baseURL, 'song.mingjie');
  const page = await enter(browser, baseURL, song.token, phone);
  await page.goto('/index');
  const bottom = page.getByRole('navigation', { name: '常用' });
  // The page 待办 lists everything that waits, from every module, and its badge shows the number.
  await bottom.getByRole('link', { name: '待办' }).tap();
  const waiting = page.getByRole('region', { name: '待办' });
  const { total, value: kinds } = (await song.ask('GET', '/api/waits/')).data as {
    total: number;
    value: { title: string; count: number }[];
  };
  expect(kinds.length).toBeGreaterThan(1);
  for (const { title, count } of kinds)
    await expect(waiting.getByRole('button', { name: new RegExp(`^${title}\\s*${count}$`) })).toBeVisible();
  expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  await expect(waiting.getByRole('button', { name: new RegExp(`^全部\\s*${total}$`) })).toBeVisible();
  await expect(waiting.locator('.kit-cards > li')).toHaveCount(Math.min(10, total));
  await expect(bottom.getByRole('link', { name: '待办' })).toContainText(String(total));

  await page.getByRole('button', { name: '展开侧栏' }).tap();
  await firstLevel(page, '工单').tap();
  await page.getByRole('navigation', { name: '工单' }).getByRole('link', { name: '我的待办' }).tap();
  // The previous page is kept behind this one.
  const card = page.getByRole('region', { name: '我的待办' }).getByRole('listitem').first();
  await expect(card).toBeVisible();
  await expect(page.getByRole('tablist')).toHaveCount(0);
  await expect.poll(async () => (await card.boundingBox())?.height ?? Infinity).toBeLessThan(150);

  await page.getByRole('button', { name: '筛选' }).tap();
  const sheet = page.getByRole('dialog', { name: '筛选' });
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/ticket\/duty/);
  await page.getByRole('button', { name: '筛选' }).tap();
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  const menu = page.getByRole('navigation', { name: '主导航' });
  await page.getByRole('button', { name: '展开侧栏' }).tap();
  await expect(menu).toBeVisible();
  await page.goBack();
  await expect(menu).toHaveCount(0);
  await expect(page).toHaveURL(/\/ticket\/duty/);

  await card.getByRole('link').first().tap();
  const bar = page.locator('footer[aria-label=操作]');
  await expect(bar).toBeVisible();
  await expect(bottom).toBeHidden();
  const box = (await bar.boundingBox())!;
  expect([Math.round(box.x), Math.round(box.width), Math.round(box.y + box.height)]).toEqual([0, 390, 844]);
  await page.goBack();
  await expect(page).toHaveURL(/\/ticket\/duty/);
  await expect(bottom).toBeVisible();
});

/** A push service that accepts everything. */
async function pushService() {
  const got: string[] = [];
  const server = createServer((request, response) => {
    got.push(request.headers['content-encoding'] ?? '');
    request.resume().on('end', () => response.writeHead(201).end());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/device`, close: () => server.close() };
}

test('the installed app says in Chinese that there is no network, recovers, and receives push messages', async ({
  baseURL,
}) => {
  const service = await pushService();
  // The headless browser of the other tests receives no push messages.
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
  const context = await browser.newContext({
    ...phone,
    baseURL,
    serviceWorkers: 'allow',
    permissions: ['notifications'],
  });
  const page = await context.newPage();
  await handOver(page, (await caller(baseURL, 'qin.haoyu')).token);
  // The browser's real push service cannot be reached here: the subscription has the stand-in's address and the browser's keys.
  await page.addInitScript((endpoint) => {
    PushManager.prototype.subscribe = async () => {
      const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
      const text = (bytes: ArrayBuffer | Uint8Array) =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '');
      const p256dh = text(await crypto.subtle.exportKey('raw', pair.publicKey));
      const auth = text(crypto.getRandomValues(new Uint8Array(16)));
      return { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) } as never;
    };
  }, service.url);
  await page.goto('/index');
  const manifest = await page.evaluate(async () => (await fetch('/manifest.webmanifest')).json());
  for (const { src } of manifest.icons)
    expect((await page.request.get(src)).headers()['content-type']).toBe('image/png');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await expect(page.getByRole('navigation', { name: '常用' })).toBeVisible();
  const waits = page.getByRole('region', { name: '等我处理' }).getByRole('listitem');
  const waiting = await waits.first().getByRole('link').first().innerText();

  await page.goto('/user/profile');
  // The row of tabs moves during a click, because it scrolls to the focused one.
  await expect(async () => {
    await page.getByRole('tab', { name: '消息提醒' }).click();
    await expect(page.getByRole('button', { name: '在本设备开启推送' })).toBeVisible({ timeout: 3000 });
  }).toPass();
  await page.getByRole('button', { name: '在本设备开启推送' }).click();
  await expect(page.getByRole('button', { name: '关闭本设备的推送' })).toBeVisible();
  await expect.poll(() => service.got).toEqual(['aes128gcm']);
  const group = page.getByRole('checkbox', { name: '督办，推送' });
  await expect(group).toBeChecked();
  await group.uncheck();
  await page.getByRole('button', { name: /^督办/ }).click();
  await expect(page.getByRole('checkbox', { name: '督办任务逾期，推送' })).not.toBeChecked();
  await page.getByRole('button', { name: '保存提醒设置' }).click();
  await expect(page.getByText('提醒设置已保存')).toBeVisible();

  const session = await context.newCDPSession(page);
  const known = new Promise<string>((found) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations;
      if (one) found(one.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  const data = JSON.stringify({ title: '有人催办', path: '/ticket/owner', tag: 'x' });
  await session.send('ServiceWorker.deliverPushMessage', { origin: baseURL!, registrationId: await known, data });
  const shown = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, data: path }) => [title, path]),
    );
  await expect.poll(shown).toEqual([['有人催办', '/ticket/owner']]);

  await context.setOffline(true);
  await page.goto('/ticket/owner').catch(() => undefined);
  await expect(page.getByRole('heading', { name: '没有网络' })).toBeVisible();
  // The items that waited at the last visit can still be read.
  await expect(page.getByRole('listitem').filter({ hasText: waiting })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('link', { name: '重试' }).click();
  await expect(page.getByRole('heading', { name: '我发起的' })).toBeVisible();
  await browser.close();
  service.close();
});

test('a person with an authenticator app signs in with its code, and with a recovery code without the phone', async ({
  browser,
  baseURL,
}) => {
  const { TOTP, Secret } = await import('otpauth');
  const page = await enter(browser, baseURL, (await caller(baseURL, 'ye.zixuan')).token);
  await stand(page, '/user/profile');
  await page.getByRole('tab', { name: '二次验证' }).click();
  await page.getByLabel('登录密码').fill('Gongdan@2026');
  await page.getByRole('button', { name: '绑定验证器' }).click();
  await expect(page.getByAltText('绑定验证器的二维码')).toBeVisible();
  const secret = await page.locator('.kit-copy').innerText();
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret.trim()) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await page.getByLabel('动态码').fill(code(0));
  await page.getByRole('button', { name: '开启二次验证' }).click();
  const spares = page.getByRole('region', { name: '恢复码' }).locator('code');
  await expect(spares).toHaveCount(10);
  const spare = await spares.first().innerText();
  await page.getByRole('button', { name: '我已保存，关闭' }).click();
  await expect(page.getByText('还有 10 个恢复码没有用过')).toBeVisible();

  const signInAgain = async (window: Page, second: string) => {
    await window.context().clearCookies();
    await window.evaluate(() => localStorage.clear());
    await window.goto('/login');
    await window.getByLabel('用户名').fill('ye.zixuan');
    await window.getByLabel('密码').fill('Gongdan@2026');
    await window.getByRole('button', { name: '登录', exact: true }).click();
    await expect(window.getByRole('heading', { name: '二次验证' })).toBeVisible();
    await window.getByLabel('动态码或恢复码').fill(second);
    await window.getByRole('button', { name: '验证', exact: true }).click();
    await expect(window.getByRole('banner')).toBeVisible();
  };
  await signInAgain(page, code(1));
  await signInAgain(page, spare);
});
