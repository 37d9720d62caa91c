import { expect } from '@playwright/test';
import { caller, enter, test } from './office.ts';

test('a person subscribes to their deadlines by an address shown once, and ends it', async ({ browser, baseURL }) => {
  const song = await caller(baseURL, 'song.mingjie');
  const page = await enter(browser, baseURL, song.token);
  await page.goto('/user/profile');
  await page.getByRole('tab', { name: '日历订阅' }).click();
  await expect(page.getByText('还没有日历地址')).toBeVisible();
  await page.getByRole('button', { name: '生成日历地址' }).click();
  const drawer = page.getByRole('dialog', { name: '生成日历地址' });
  await drawer.getByLabel('名称').fill('手机');
  await expect(drawer.getByText('待办期限')).toBeVisible();
  await drawer.getByRole('button', { name: '生成日历地址' }).click();
  const shown = page.getByRole('dialog', { name: '日历地址' });
  await expect(shown.getByRole('button', { name: '复制地址' })).toBeVisible();
  const address = await shown.getByText(/\.ics$/).innerText();
  expect(address).toMatch(new RegExp(`^${baseURL}/api/calendars/ics/[0-9A-Z]{16}\\.ics$`));
  const calendar = await page.request.get(address);
  expect(await calendar.text()).toMatch(/^BEGIN:VCALENDAR\r\n/);
  await shown.getByRole('button', { name: '我已保存' }).click();
  const row = page.getByRole('listitem').filter({ hasText: '手机' });
  await expect(row).toContainText('待办期限');
  await row.getByRole('button', { name: '停用' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click();
  await expect(page.getByText('还没有日历地址')).toBeVisible();
  expect((await page.request.get(address)).status()).toBe(404);
});
