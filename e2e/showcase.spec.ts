import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toBuffer } from 'qrcode';
import { browserFlags, findBrowser } from '../scripts/find-browser.ts';
import { barriersOf } from './barriers.ts';
import { test } from './office.ts';
import { openShowcase, type ShowcaseServer } from './showcase-server.ts';

let showcase: ShowcaseServer;
test.beforeAll(async () => {
  showcase = await openShowcase();
});
test.afterAll(() => showcase.close());

const open = async (page: Page, part: string, url = showcase.url) => {
  await page.goto(url);
  await page.getByRole('tab', { name: part }).click();
};
const view = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: '视图' }).getByText(name, { exact: true });
const said = (page: Page, text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();

test.describe('the sample calendar', () => {
  test('can be navigated, read and opened by keyboard alone', async ({ page }) => {
    await open(page, '日历');
    const calendar = page.getByRole('region', { name: '日历样例' });
    await expect(calendar.getByRole('button', { name: /校长办公会/ })).toBeVisible();
    const places = () =>
      page.locator('.ec-event').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as object));
    const stood = await places();
    await calendar.getByRole('button', { name: /校长办公会/ }).focus();
    await page.keyboard.press('Enter');
    await said(page, '打开了 校长办公会');
    await page.keyboard.press('PageDown');
    await expect(calendar.getByText('2027年1月', { exact: true })).toBeVisible();
    await page.keyboard.press('PageUp');
    await expect(calendar.getByText('2026年12月', { exact: true })).toBeVisible();
    // Laid out as before, without overlaps.
    await expect.poll(places).toEqual(stood);
    // Entries that a day has no room for can be opened as well.
    await calendar.getByRole('button', { name: /^另有/ }).first().focus();
    await page.keyboard.press('Enter');
    await expect(calendar.getByRole('button', { name: /消防演练/ })).toBeVisible();
  });

  test('shows each entry in its place by month, week, list and room, with whole days to their end', async ({
    page,
  }) => {
    await open(page, '日历');
    await view(page, '周').click();
    await expect(page.getByText('2026年11月30日–12月6日')).toBeVisible();
    await expect(page.getByRole('button', { name: /期末考试工作布置会/ })).toBeVisible();
    await view(page, '列表').click();
    await expect(page.locator('.ec-day').filter({ hasText: '2026年12月4日' })).toContainText('科研项目中期检查');
    await view(page, '资源').click();
    for (const room of ['第一会议室', '第二会议室', '报告厅']) await expect(page.getByText(room)).toBeVisible();
    await view(page, '时间轴').click();
    await expect(page.locator('.ec-row-head').filter({ hasText: '报告厅' })).toBeVisible();
  });

  test('lets an entry be dragged to another time and room, returns it if refused, and lets free time be selected', async ({
    page,
  }) => {
    await open(page, '日历');
    await view(page, '资源').click();
    const entry = page.locator('.ec-event', { hasText: '期末考试工作布置会' });
    await expect(entry).toBeVisible();
    const drag = async (x: number, y: number) => {
      const box = (await entry.boundingBox())!;
      await page.mouse.move(box.x + 20, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + 20 + x, box.y + 10 + y, { steps: 8 });
      await page.mouse.up();
      return box;
    };
    const before = (await entry.boundingBox())!;
    // Two slots of half an hour, 24 pixels each, and one room to the right.
    await drag(before.width, 48);
    await said(page, '移到 2026-12-01 15:00:00 2026-12-01 17:00:00 2');
    await expect.poll(async () => (await entry.boundingBox())!.x).toBeGreaterThan(before.x + before.width / 2);
    const stood = (await entry.boundingBox())!;
    await drag(0, -13 * 24);
    await said(page, '移到 2026-12-01 08:30:00');
    await expect.poll(async () => Math.round((await entry.boundingBox())!.y)).toBe(Math.round(stood.y));

    await page.mouse.move(before.x + 40, before.y + 80);
    await page.mouse.down();
    await page.mouse.move(before.x + 40, before.y + 120, { steps: 6 });
    await page.mouse.up();
    await said(page, '已选 2026-12-01 15:30:00');
    await expect(page.locator('.ec-event', { hasText: '新的安排' })).toBeVisible();
  });

  test('is on a phone a list by week and a full-width room, with nothing wider than the screen', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, '日历');
    await expect(view(page, '周')).toHaveCount(0);
    await view(page, '列表').click();
    await expect(page.locator('.ec-list').getByText('青年教师讲课比赛')).toBeVisible();
    await view(page, '资源').click();
    await expect(page.locator('.ec-event', { hasText: '校长办公会' })).toBeVisible();
    await expect(page.locator('.ec-event', { hasText: '消防演练' })).toHaveCount(0);
    await page.getByRole('combobox', { name: '资源' }).click();
    await page.locator('.ant-select-item', { hasText: '报告厅' }).click();
    await expect(page.locator('.ec-event', { hasText: '消防演练' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.locator('.ec-event', { hasText: '消防演练' }).click();
    await said(page, '打开了 消防演练');
  });

  test('has no accessibility violation in light or dark mode', async ({ page }) => {
    for (const dark of ['light', 'dark']) {
      await page.addInitScript((value) => localStorage.setItem('settings', JSON.stringify({ dark: value })), dark);
      await open(page, '日历');
      for (const name of ['月', '资源', '列表']) {
        await view(page, name).click();
        await expect(page.locator('.ec-event').first()).toBeVisible();
        const told = (await barriersOf(page, '.kit-calendar')).map((one) => `${dark} ${name} ${one}`);
        expect(told).toEqual([]);
      }
    }
  });
});

test.describe('the sample camera', () => {
  const code = 'https://oa.example.edu/api/verify/0123456789ABCDEF/';
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-camera-'));
  const film = join(folder, 'code.y4m');
  let browser: Browser;
  test.beforeAll(async () => {
    writeFileSync(film, filmOf(code));
    const args = [
      ...browserFlags,
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
      '--host-resolver-rules=MAP plain.example 127.0.0.1',
    ];
    browser = await chromium.launch({ executablePath: findBrowser(), args });
  });
  test.afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const pageOf = async (url?: string) => {
    const page = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await open(page, '扫码与拍照', url);
    return { page, faults };
  };
  const read = (page: Page) => page.getByRole('list', { name: '识别到的内容' }).getByRole('listitem');
  const isOn = (page: Page) =>
    page.evaluate(() => {
      const stream = document.querySelector('video')?.srcObject as MediaStream | null;
      return stream?.getVideoTracks().some((track) => track.readyState === 'live') ?? false;
    });

  test('reads a code held before it once, and is off when it is no longer needed', async () => {
    const { page, faults } = await pageOf();
    await page.getByRole('button', { name: '扫码' }).click();
    await expect(read(page)).toHaveText([code]);
    await page.waitForTimeout(1000);
    await expect(read(page)).toHaveCount(1);
    const track = await page.evaluateHandle(
      () => (document.querySelector('video')!.srcObject as MediaStream).getVideoTracks()[0]!,
    );
    expect(await isOn(page)).toBe(true);
    await page.getByRole('button', { name: '关闭摄像头' }).click();
    expect(await track.evaluate((one) => one.readyState)).toBe('ended');
    expect(faults).toEqual([]);
  });

  test('takes a photo of what it sees', async () => {
    const { page, faults } = await pageOf();
    await page.getByRole('button', { name: '拍一张' }).click();
    await page.getByRole('button', { name: '拍照' }).click();
    const photo = page.getByRole('img', { name: /^照片 20.*\.jpg$/ });
    await expect(photo).toBeVisible();
    expect(await photo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
      640, 480,
    ]);
    expect(faults).toEqual([]);
  });

  test('reads a file instead in an insecure context: a picture with a code, one without, and a file that is no picture', async () => {
    const { page, faults } = await pageOf(showcase.url.replace('127.0.0.1', 'plain.example'));
    await page.getByRole('button', { name: '扫码' }).click();
    expect(await page.evaluate(() => [window.isSecureContext, document.querySelector('video')])).toEqual([false, null]);
    const choose = async (name: string, mimeType: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: '拍照或选择照片识别' }).click();
      await (await chooser).setFiles({ name, mimeType, buffer });
    };
    await choose('码.png', 'image/png', await toBuffer(code, { width: 1600, margin: 8 }));
    await expect(read(page)).toHaveText([code]);
    await choose('空.png', 'image/png', blank);
    await expect(page.getByText('照片里没有识别到二维码，请靠近一些、拍清楚后再试')).toBeVisible();
    await choose('文.png', 'image/png', Buffer.from('这不是图片'));
    await expect(page.getByText('这个文件不是图片，请选择照片或截图')).toBeVisible();
    expect(faults).toEqual([]);
  });

  test('says so if it may not be used, and still accepts a file', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await open(page, '扫码与拍照');
    await page.getByRole('button', { name: '扫码' }).click();
    await expect(page.getByText('没有得到使用摄像头的许可，请在浏览器的网站设置中允许，或改用照片')).toBeVisible();
    await expect(page.getByRole('button', { name: '拍照或选择照片识别' })).toBeVisible();
  });
});

test('an amount is typed, shown with separators and written in Chinese capitals', async ({ page }) => {
  await open(page, '金额');
  const field = page.getByRole('spinbutton', { name: '金额' });
  await field.fill('¥1，234,567.8');
  await field.blur();
  await expect(field).toHaveValue('1,234,567.80');
  await expect(page.getByText('人民币壹佰贰拾叁万肆仟伍佰陆拾柒元捌角整')).toBeVisible();
});

/** One white pixel. */
const blank = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);

/** A film of a code in the middle of a grey wall, in the format that the browser's fake camera plays (YUV4MPEG2). */
function filmOf(text: string): Buffer {
  const [width, height, scale] = [640, 480, 8];
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const side = (modules.size + 8) * scale;
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  const luma = Buffer.alloc(width * height, 120);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [column, line] = [Math.floor((x - left) / scale), Math.floor((y - top) / scale)];
      if (column < 0 || line < 0 || column >= modules.size + 8 || line >= modules.size + 8) continue;
      const [at, row] = [column - 4, line - 4];
      const dark = at >= 0 && row >= 0 && at < modules.size && row < modules.size && modules.get(row, at);
      luma[y * width + x] = dark ? 16 : 235;
    }
  const colour = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, colour]);
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
    ...Array<Buffer>(5).fill(frame),
  ]);
}
