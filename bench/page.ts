import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { browserFlags, findBrowser } from '../scripts/find-browser.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

const signInAim = 120;
const listAim = 380;

/** Bytes as they travel, headers included, counted from now on. */
async function countBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', (loaded) => (bytes += loaded.encodedDataLength));
  await session.send('Network.enable');
  return () => bytes / 1024;
}

export async function measurePage(stage: Stage): Promise<Table> {
  if (!existsSync(join(import.meta.dirname, '../dist/web/index.html')))
    throw new Error('网页还没有构建，请先运行 npm start 或 npx vite build。');
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('没有找到浏览器，请设置环境变量 BROWSER_PATH。');
  const browser = await chromium.launch({ executablePath, args: browserFlags });
  try {
    const page = await browser.newPage();
    const bytes = await countBytes(page);
    let started = performance.now();
    await page.goto(`${stage.url}/login`);
    await page.locator('input[type=password]').waitFor({ timeout: 30_000 });
    const signIn = [performance.now() - started, (await page.waitForLoadState('networkidle'), bytes())] as const;
    const token = await stage.signIn('shi.yufei');
    await page.evaluate((kept) => localStorage.setItem('Admin-Token', kept), token);
    started = performance.now();
    await page.goto(`${stage.url}/ticket/all`);
    await page.locator('.ant-table-row').first().waitFor({ timeout: 30_000 });
    const list = [performance.now() - started, (await page.waitForLoadState('networkidle'), bytes())] as const;
    return {
      name: 'page',
      title: '网页',
      about: '无头 Chromium，空缓存，本机连接；字节为压缩后传输量，第二行为登录页与第一个列表合计。',
      columns: ['页面', '可用 ms', 'KB', '目标 KB', '比值'],
      rows: [
        ['登录页', shown(signIn[0], 0), shown(signIn[1]), signInAim, shown(signIn[1] / signInAim, 2)],
        ['其后第一个列表', shown(list[0], 0), shown(list[1]), listAim, shown(list[1] / listAim, 2)],
      ],
    };
  } finally {
    await browser.close();
  }
}
