import { countBytes, inBrowser } from './browser.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

const signInAim = 120;
const listAim = 380;

export const measurePage = (stage: Stage): Promise<Table> =>
  inBrowser(async (browser) => {
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
  });
