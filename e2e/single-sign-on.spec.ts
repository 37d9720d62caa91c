import { expect } from '@playwright/test';
import { oidcClient, startOidcProvider } from '../modules/platform/signon/testing/oidc.ts';
import { caller, test } from './office.ts';

test('a person signed in at the provider enters with one click, and is told what to do when it fails', async ({
  page,
  baseURL,
}) => {
  const provider = await startOidcProvider(baseURL!);
  const admin = await caller(baseURL, 'admin');
  const save = async (enabled: boolean) => {
    const { client_id, client_secret: secret } = oidcClient;
    const sso = enabled ? { type: 'oidc', url: provider.url, client_id, secret } : { type: '' };
    expect((await admin.ask('PUT', '/api/accounts/settings/interface/', { sso })).code).toBe(0);
    expect((await admin.ask('PUT', '/api/accounts/settings/login/', { sso_enabled: enabled })).code).toBe(0);
  };
  try {
    await save(true);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/login?redirect=%2Fmsg%3FreadState%3D1');
    const button = page.getByRole('button', { name: '单点登录' });
    await expect(page.getByRole('button', { name: '微信登录' })).toHaveCount(0);

    provider.person = { sub: 'nobody.here', name: '无此人' };
    await button.click();
    await expect(page.getByRole('heading', { name: '未能登录' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('工号“nobody.here”在本系统中没有账号');
    expect(new URL(page.url()).search).toBe('');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.context().clearCookies();

    provider.person = { sub: 'shi.yufei', name: '施雨菲' };
    await page.getByRole('link', { name: '重新登录' }).click();
    await button.click();
    await expect(page).toHaveURL(/\/index$/);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByRole('tablist', { name: '已打开的页面' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('userData'))).toContain('shi.yufei');
  } finally {
    await save(false);
    await provider.close();
  }
});
