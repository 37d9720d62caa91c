import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { browserFlags, findBrowser } from '../scripts/find-browser.ts';

/** Measures with a browser that is closed at the end. */
export async function inBrowser<T>(measure: (browser: Browser) => Promise<T>): Promise<T> {
  if (!existsSync(join(import.meta.dirname, '../dist/web/index.html')))
    throw new Error('网页还没有构建，请先运行 npm start 或 npm run build。');
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('没有找到浏览器，请设置环境变量 BROWSER_PATH。');
  const browser = await chromium.launch({ executablePath, args: browserFlags });
  try {
    return await measure(browser);
  } finally {
    await browser.close();
  }
}

/** Counts kilobytes as transferred, headers included, from now on. */
export async function countBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', (loaded) => (bytes += loaded.encodedDataLength));
  await session.send('Network.enable');
  return () => bytes / 1024;
}

/** A window of a signed-in person, with nothing loaded yet. */
export async function signedIn(browser: Browser, origin: string, token: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  await page.goto('/readyz');
  await page.evaluate((kept) => localStorage.setItem('Admin-Token', kept), token);
  return page;
}
