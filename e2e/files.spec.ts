import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { caller, enter, fillRepair, test } from './office.ts';

/** A PDF of two pages, padded to the wanted length. */
function pdfOf(length: number): Buffer {
  const page = (text: string) => `BT /F1 40 Tf 60 700 Td (${text}) Tj ET`;
  const stream = (content: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
      Buffer.from(content),
      Buffer.from('\nendstream'),
    ]);
  const sheet = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /Font << /F1 7 0 R >> >> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    sheet(5),
    sheet(6),
    stream(page('Page one')),
    stream(page('Page two')),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream(randomBytes(length)),
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  const starts: number[] = [];
  let at = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    starts.push(at);
    at += whole.length;
    parts.push(whole);
  }
  const lines = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${lines}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

test('an interrupted upload resumes, is attached, and is read beside the ticket', async ({ browser }, info) => {
  const origin = info.project.use.baseURL;
  const page = await enter(browser, origin, (await caller(origin, 'qin.haoyu')).token);
  const refusedByPolicy: string[] = [];
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) refusedByPolicy.push(line.text());
  });
  const offsets: number[] = [];
  await page.route(/\/api\/file\/upload\/\d+\/\?offset=/, async (route) => {
    offsets.push(Number(new URL(route.request().url()).searchParams.get('offset')));
    if (offsets.length !== 2) return route.continue();
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });

  await page.goto('/ticket/new');
  await page.getByRole('button', { name: /^信息化服务/ }).click();
  await fillRepair(page, '附件续传');
  const file = { name: '现场说明.pdf', mimeType: 'application/pdf', buffer: pdfOf(3 * 2 ** 20) };
  await page.getByLabel('选择图片').setInputFiles(file);
  await expect(page.getByText('网络中断，恢复后自动续传')).toBeVisible();
  await page.context().setOffline(false);
  // A submitted form stays mounted behind its tab.
  const name = page.getByRole('link', { name: '现场说明.pdf' }).filter({ visible: true });
  await expect(name).toBeVisible();
  await expect(page.getByText('网络中断，恢复后自动续传')).toHaveCount(0);
  expect(offsets.slice(0, 3)).toEqual([0, 2 ** 20, 2 ** 20]);

  await page.getByRole('button', { name: '提交信息化服务' }).click();
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);
  await expect(page.locator('.kit-detail-head')).toContainText('附件续传');
  await name.click();
  const drawer = page.getByRole('dialog', { name: '现场说明.pdf' });
  await expect(drawer.getByText('第 1 / 2 页')).toBeVisible();
  const canvas = drawer.getByRole('img', { name: '第 1 页' });
  const drawn = () =>
    canvas.evaluate((one: HTMLCanvasElement) => {
      const { data } = one.getContext('2d')!.getImageData(0, 0, one.width, one.height);
      return data.some((value, at) => at % 4 === 0 && value < 100 && data[at + 3] === 255);
    });
  await expect.poll(drawn).toBe(true);
  await drawer.getByRole('button', { name: '放大' }).click();
  await expect(drawer.getByText('125%')).toBeVisible();
  await drawer.getByRole('document').evaluate((place) => place.scrollTo(0, place.scrollHeight));
  await expect(drawer.getByText('第 2 / 2 页')).toBeVisible();
  expect(refusedByPolicy).toEqual([]);
});

test('a withheld PDF shows the reason in its drawer, and a damaged one offers the download', async ({
  browser,
}, info) => {
  const origin = info.project.use.baseURL;
  const admin = await caller(origin, 'admin');
  const marks = async (watermark: boolean) =>
    expect((await admin.ask('PUT', '/api/accounts/settings/site/', { watermark })).code).toBe(0);
  const page = await enter(browser, origin, (await caller(origin, 'qin.haoyu')).token);
  await page.goto('/ticket/new');
  await page.getByRole('button', { name: /^信息化服务/ }).click();
  await fillRepair(page, '附件损坏');
  const buffer = Buffer.from('%PDF-1.7\nnothing\n%%EOF\n');
  await page.getByLabel('选择图片').setInputFiles({ name: '损坏.pdf', mimeType: 'application/pdf', buffer });
  const name = page.getByRole('link', { name: '损坏.pdf' }).filter({ visible: true });
  await expect(name).toBeVisible();
  await page.getByRole('button', { name: '提交信息化服务' }).click();
  await expect(page.locator('.kit-detail-head')).toContainText('附件损坏');
  const drawer = page.getByRole('dialog', { name: '损坏.pdf' });
  await name.click();
  await expect(drawer.getByRole('status')).toHaveText('“损坏.pdf”无法在线预览，请下载后查看');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await marks(true);
  try {
    await name.click();
    await expect(drawer.getByRole('status')).toHaveText(
      '“损坏.pdf”不能提供：它已加密、已损坏或过大，无法加水印，请联系上传人或管理员',
    );
  } finally {
    await marks(false);
  }
});
