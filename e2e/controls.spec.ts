import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { outing } from '../modules/workflow/tickets/testing/outing.ts';
import { usualTemplate } from '../modules/workflow/workflows/engine/fields/print-template.ts';
import { Definition } from '../modules/workflow/workflows/engine/definition.ts';
import { caller, enter, handOver, stand, test, type Caller } from './office.ts';

/** Publishes a flow whose form has every kind of control; returns its name. */
async function published(admin: Caller): Promise<string> {
  const made = Definition.parse(outing([{ type: 5, variable: 'dept_fzr' }]));
  const definition = { ...made, settings: { ...made.settings, print_template: usualTemplate(made.fields) } };
  const name = `外出登记${test.info().retry || ''}`;
  const added = await admin.ask('POST', '/api/workflows/', { name, category: '行政', definition });
  expect(added).toMatchObject({ code: 0 });
  const { id, version } = added.data as { id: number; version: number };
  expect(await admin.ask('POST', `/api/workflows/${id}/publish/`, { version })).toMatchObject({ code: 0 });
  return name;
}

/** Chooses a path through the levels of a cascade. */
async function choosePath(page: Page, label: string, path: readonly string[]): Promise<void> {
  await page.getByLabel(label).click();
  const levels = page.locator('.path-popup').filter({ visible: true }).locator('.ant-cascader-menu');
  for (const [level, name] of path.entries()) await levels.nth(level).getByRole('menuitemcheckbox', { name }).click();
}

test('every type of form field is filled in, submitted, shown and printed', async ({ browser, baseURL }) => {
  const admin = await caller(baseURL, 'admin');
  const flow = await published(admin);
  const qin = await caller(baseURL, 'qin.haoyu');
  const page = await enter(browser, baseURL, qin.token);
  await stand(page, '/ticket/new');
  await page.getByRole('button', { name: new RegExp(`^${flow}`) }).click();
  const computed = (name: string) =>
    page.locator('.ant-form-item').filter({ has: page.getByText(name, { exact: true }) });
  await page.getByLabel('事由').fill('参会');
  const buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  await page.getByLabel('选择现场照片').setInputFiles({ name: '现场.png', mimeType: 'image/png', buffer });
  await expect(page.getByRole('link', { name: /现场/ })).toBeVisible();
  await choosePath(page, '所在地区', ['北京市', '北京市', '东城区']);
  await choosePath(page, '户籍', ['上海市']);
  await choosePath(page, '设备', ['电脑', '笔记本']);
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation({ latitude: 22.5431, longitude: 114.05787 });
  await page.getByLabel('外出地点').fill('科技路 1 号');
  await page.getByRole('button', { name: '我的位置' }).click();
  const venue = '科技路 1 号（北纬 22.54310°，东经 114.05787°）';
  await expect(page.getByLabel('外出地点')).toHaveValue(venue);
  await page.getByLabel('外出时间开始日期').fill('2026-09-30');
  await page.getByLabel('外出时间结束日期').fill('2026-10-08');
  // The holiday in between is not a working day.
  await expect(computed('工作日')).toHaveText(/2/);
  await page.getByRole('button', { name: '添加一行' }).click();
  // A sheet of two thousand lines is pasted into the first cell; only the visible ones are rendered.
  await page.getByLabel('第 1 行 用途').evaluate((cell) => {
    const data = new DataTransfer();
    data.setData('text/plain', Array.from({ length: 2000 }, (_none, at) => `第 ${at + 1} 次\t0.5\t2`).join('\n'));
    cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('最多 2000 行')).toBeVisible();
  expect(await page.locator('.kit-grid-table tbody tr[data-index]').count()).toBeLessThan(60);
  await expect(computed('合计')).toHaveText(/2,000\.00/);
  await page.getByLabel('原申请').click();
  await page.locator('.ant-select-item-option').filter({ visible: true }).first().click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `提交${flow}` }).click();
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);

  const content = page.getByRole('region', { name: '内容' });
  for (const said of [venue, '北京市 / 东城区', '上海市', '电脑 / 笔记本', '2026-09-30 至 2026-10-08', '2,000.00'])
    await expect(content.getByText(said).first()).toBeVisible();
  await expect(content.getByText('第 1 次', { exact: true })).toBeVisible();
  await expect(content.getByRole('link', { name: /现场/ }).first()).toBeVisible();
  const address = page.url();

  const song = await caller(baseURL, 'song.mingjie');
  await handOver(page, song.token);
  await page.goto(address);
  await page.getByLabel('意见').fill('注意安全');
  await page.locator('footer[aria-label=操作]').getByRole('button', { name: '同意', exact: true }).click();
  await expect(page.getByRole('region', { name: '流转记录' })).toContainText('注意安全');
  await page.goto(address);
  await expect(content.getByText('注意安全').first()).toBeVisible();

  // On paper: the template with its fields, once, without the surrounding page.
  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('.ticket-sheet');
  await expect(sheet).toBeVisible();
  await expect(sheet).toContainText('北京市 / 东城区');
  await expect(sheet).toContainText(venue);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.locator('.kit-detail-head')).toBeHidden();
});
