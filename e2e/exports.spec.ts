import { expect } from '@playwright/test';
import { caller, enter, test } from './office.ts';

test('a person’s exports are listed with their outcome, and one is removed', async ({ browser, baseURL }) => {
  const admin = await caller(baseURL, 'admin');
  const page = await enter(browser, baseURL, admin.token);
  const made = {
    title: '公文台账',
    rows: 24_000,
    answer: '',
    file: null,
    gmt_created: '2026-03-02 09:00:00',
    kept_until: null,
  };
  const rows = [
    { ...made, id: 1, state: 'running', written: 6000, actions: ['cancel'] },
    { ...made, id: 2, state: 'failed', written: 0, answer: '行数超过 20 万，请缩小范围', actions: ['delete'] },
  ];
  await page.route('**/api/export/?*', (route) =>
    route.fulfill({ json: { code: 0, msg: '', data: { value: rows, total: rows.length, page: 1, per_page: 10 } } }),
  );
  const cancelled: string[] = [];
  await page.route('**/api/export/1/', async (route) => {
    cancelled.push(route.request().method());
    rows.shift();
    await route.fulfill({ json: { code: 0, msg: '导出已取消', data: null } });
  });
  await page.goto('/exports');
  await expect(page.getByRole('heading', { name: '我的导出' })).toBeVisible();
  const running = page.getByRole('row').filter({ hasText: '取消导出' });
  await expect(running.getByRole('progressbar', { name: '“公文台账”已生成 25%' })).toBeVisible();
  await expect(page.getByText('未成功：行数超过 20 万，请缩小范围')).toBeVisible();
  await running.getByRole('button', { name: '取消导出' }).click();
  await expect(running).toHaveCount(0);
  expect(cancelled).toEqual(['DELETE']);
});
