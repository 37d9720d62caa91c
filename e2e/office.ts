import { expect, type Locator, type Page } from '@playwright/test';

/** Password of the administrator and of every demo account in the browser tests. */
export const password = 'Gongdan@2026';

/** Signs in through the page, as a person does. */
export async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('密码').fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('tablist', { name: '已打开的页面' })).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /用户菜单/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page).toHaveURL(/\/login/);
}

export const tab = (page: Page, title: string): Locator => page.getByRole('tab', { name: title, exact: true });
export const firstLevel = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: '主导航' }).getByRole('button', { name });

/** Goes to a page by the two sidebars. */
export async function goTo(page: Page, first: string, second: string): Promise<void> {
  await firstLevel(page, first).click();
  await page.getByRole('navigation', { name: first }).getByRole('link', { name: second }).click();
}
