import { expect } from '@playwright/test';
import { caller, enter, tab, test } from './office.ts';

test('a must-read regulation leads from the home page to its confirmation, and then asks for nothing', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const reader = await caller(baseURL, 'qin.haoyu');
  const me = (await reader.ask('GET', '/api/accounts/users/simple/?search_value=qin.haoyu')).data[0];
  const [category] = (await admin.ask('GET', '/api/folder/category/')).data;
  const title = '汛期值班须知';
  const made = await admin.ask('POST', '/api/folder/papers/', {
    title,
    category_id: category.id,
    dept: me.dept_id,
    publish_date: '2026-11-20',
    content: '第一章 值守\n一、到岗\n值班人员须按时到岗。\n第二章 报告\n发现险情立即报告。',
    scope: { users: [me.id] },
    must_read: true,
    status: 1,
  });
  expect(made).toMatchObject({ code: 0 });

  const page = await enter(browser, baseURL, reader.token);
  await page.goto('/folder/index');
  const waiting = page.getByRole('region', { name: /^必读/ });
  await waiting.getByRole('link', { name: title }).click();
  await expect(tab(page, title)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('navigation', { name: '目录' }).getByRole('button', { name: '第二章 报告' }).click();
  await expect(page.getByRole('heading', { name: '第二章 报告' })).toBeFocused();
  await page.getByLabel('在正文中查找').fill('值班');
  await expect(page.getByRole('status').filter({ hasText: '共 1 处' })).toBeVisible();
  await page.getByRole('button', { name: '确认已读' }).click();
  await expect(page.getByText(/您已于 .* 确认已读/)).toBeVisible();
  await page.goto('/folder/index');
  await expect(page.getByRole('region', { name: '最新发布' })).toContainText(title);
  await expect(waiting).toHaveCount(0);
});
