import { expect, type Page } from '@playwright/test';
import { centred, para, run, wordFile } from '../modules/office/documents/testing/word.ts';
import { test, turnsAt } from './office.ts';

// Long tests that are independent of each other.
test.describe.configure({ mode: 'parallel' });

const word = (body: string) => ({
  name: '正文.docx',
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  buffer: Buffer.from(wordFile(body)),
});
const text = (when: string) => para('各学院：') + para(`现将${when}的安排通知如下。`) + para('请遵照执行。');

/** Fills in the fields that a letter needs besides its body. */
async function begin(page: Page, title: string): Promise<void> {
  await page.goto('/document/list?new=1');
  await page.getByLabel('标题').fill(title);
  await page.getByLabel('发文机关', { exact: true }).fill('示范大学');
  await page.getByTitle('示范大学', { exact: true }).click();
  await page.getByLabel('主送').fill('各学院');
  // The options change once more when the departments have been loaded.
  await expect(page.getByText('正在查找')).toHaveCount(0);
  await page.locator('.ant-select-item-option').filter({ hasText: '各学院' }).click();
  await expect(page.locator('.ant-select-selection-item').filter({ hasText: '各学院' })).toBeVisible();
}

test('a letter written in Word shows before submission what will be lost, and gets its letterhead', async ({
  page,
  baseURL,
}) => {
  await turnsAt(page, baseURL)('shen.lijuan');
  const title = `关于档案移交${test.info().retry}的通知`;
  await begin(page, title);
  const lost = run('公式如下') + '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>';
  const body = para(title, centred) + text('档案移交') + para(lost);
  const pick = page.getByLabel('选择正文文件');
  await pick.setInputFiles({ name: '说明.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') });
  await expect(page.getByText('这个文件不能作为正文')).toBeVisible();
  await page.getByRole('button', { name: '移除说明.pdf' }).click();
  await pick.setInputFiles(word(body));
  const told = page.getByLabel('正文文件的排版');
  await expect(told).toContainText('按公文格式重新排版');
  await expect(told).toContainText('公式 1 个：没有保留');
  await expect(page.getByRole('textbox', { name: '正文' })).toHaveCount(0);
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  await expect(page.getByText('正文文件与成品不同：公式 1 个：没有保留')).toBeVisible();
  await page.getByRole('button', { name: '预览', exact: true }).click();
  await expect(page.getByRole('dialog').locator('canvas').first()).toBeVisible({ timeout: 120_000 });
});

test('a spreadsheet block pasted into a letter’s body stays a table, and the page says what was dropped', async ({
  page,
  baseURL,
}) => {
  await turnsAt(page, baseURL)('shen.lijuan');
  await begin(page, `关于物资清单${test.info().retry}的通知`);
  const body = page.getByRole('textbox', { name: '正文' });
  await body.click();
  await body.evaluate((editor) => {
    const data = new DataTransfer();
    const cells = (...row: string[]) => `<tr>${row.map((one) => `<td>${one}</td>`).join('')}</tr>`;
    const rows = cells('物资', '数量') + cells('帐篷', '12<del>0</del>');
    const table = `<table><!--StartFragment-->${rows}<!--EndFragment--></table>`;
    data.setData('text/html', `<html><body>${table}</body></html>`);
    data.setData('text/plain', '物资\t数量\n帐篷\t12');
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(body.locator('tr')).toHaveText(['物资数量', '帐篷12']);
  await expect(page.getByText(/没有粘贴/).first()).toBeVisible();
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  await expect(page.getByRole('region', { name: '正文' }).getByRole('cell', { name: '帐篷' })).toBeVisible();
});

test('a letter’s drafter sees who changed what, struck and marked in the text', async ({ page, baseURL }) => {
  const turn = turnsAt(page, baseURL);
  await turn('shen.lijuan');
  await begin(page, `关于修改留痕${test.info().retry}的通知`);
  await page.getByLabel('选择正文文件').setInputFiles(word(text('考试')));
  await expect(page.getByLabel('正文文件的排版')).toBeVisible();
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  const address = new URL(page.url()).pathname;

  await turn('guo.zhenhua');
  await page.goto(address);
  await page.getByRole('button', { name: '上传新版本' }).click();
  const upload = page.getByRole('dialog');
  await upload.getByLabel('选择文件').setInputFiles(word(text('期末考试')));
  await expect(upload.getByRole('link', { name: '正文.docx' })).toBeVisible();
  await upload.getByRole('button', { name: '保存为新版本' }).click();
  await expect(page.getByLabel('正文花脸稿').locator('ins')).toHaveText(/期末/);
  await page.getByRole('button', { name: '编辑', exact: true }).click();
  await page.getByLabel('附注').fill('此件主动公开');
  await page.getByRole('button', { name: '保存公文' }).click();
  // Leaving the page at once would undo the click.
  await expect(page.getByText('公文已保存')).toBeVisible();

  await turn('shen.lijuan');
  await page.goto(address);
  const trace = page.getByRole('region', { name: '修改痕迹' });
  await expect(trace.getByLabel('正文花脸稿').locator('ins')).toHaveAttribute('title', /^郭振华 .* 加入$/);
  await expect(trace.getByRole('listitem')).toHaveCount(2);
  await expect(trace.getByRole('listitem').first()).toContainText(/附注\s*此件主动公开/);
  await expect(trace.getByRole('listitem').last()).toContainText(/郭振华 在“\S+”修改/);
});
