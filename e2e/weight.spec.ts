import { expect } from '@playwright/test';
import { caller, test } from './office.ts';

test('the sign-in page travels in 120 KB, the first list after it in 380 KB in all', async ({ page, baseURL }) => {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', (loaded) => (bytes += loaded.encodedDataLength));
  await session.send('Network.enable');
  await page.goto('/login');
  await expect(page.getByLabel('密码')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(bytes / 1024).toBeLessThan(120);
  const { token } = await caller(baseURL, 'shi.yufei');
  await page.evaluate((kept) => localStorage.setItem('Admin-Token', kept), token);
  await page.goto('/ticket/all');
  await expect(page.locator('.ant-table-row').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  test.info().annotations.push({ type: 'KB', description: String(Math.round(bytes / 1024)) });
  expect(bytes / 1024).toBeLessThan(380);
});
