// `npm run pictures`: the ten most used pages at both widths, of the product as a newcomer starts it, into docs/pictures.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import sharp from 'sharp';
import { startNode } from '../apps/server/testing/node.ts';
import { quietPort } from '../apps/server/testing/port.ts';
import { browserFlags, findBrowser } from './find-browser.ts';

const target = join(import.meta.dirname, '../docs/pictures');
const password = 'Gongdan@2026';
const widths = {
  '': { viewport: { width: 1440, height: 900 } },
  '-phone': { viewport: { width: 390, height: 844 }, hasTouch: true },
};
/** Name of the picture, whose page it is, and where it is. */
const pages: [name: string, person: string, path: string][] = [
  ['home', 'song.mingjie', '/index'],
  ['duty', 'song.mingjie', '/ticket/duty'],
  ['start', 'song.mingjie', '/ticket/new'],
  ['ticket', 'song.mingjie', '/ticket/detail/'],
  ['documents', 'admin', '/document/list'],
  ['contracts', 'admin', '/contract/manage'],
  ['meetings', 'admin', '/meet/calendar'],
  ['orders', 'admin', '/order/list'],
  ['papers', 'song.mingjie', '/folder/index'],
  ['people', 'admin', '/system/user'],
];

async function signIn(origin: string, username: string): Promise<string> {
  const answer = await fetch(`${origin}/api/accounts/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return ((await answer.json()) as { data: { jwt: string } }).data.jwt;
}

/** The first ticket that waits for somebody. */
async function firstDuty(origin: string, token: string): Promise<number> {
  const answer = await fetch(`${origin}/api/tickets/?category=duty&per_page=1`, {
    headers: { authorization: `JWT ${token}` },
  });
  return ((await answer.json()) as { data: { value: { id: number }[] } }).data.value[0]!.id;
}

interface Picture {
  name: string;
  path: string;
  token: string;
  look: Parameters<Browser['newContext']>[0];
}

async function take(browser: Browser, origin: string, { name, path, token, look }: Picture): Promise<void> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...look,
  });
  const page = await context.newPage();
  await page.goto(`${origin}/readyz`);
  await page.evaluate((kept) => localStorage.setItem('Admin-Token', kept), token);
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  await page.locator('main.page .ant-skeleton').first().waitFor({ state: 'detached' });
  const whole = await page.screenshot();
  await sharp(whole)
    .png({ palette: true, colours: 128, compressionLevel: 9 })
    .toFile(join(target, `${name}.png`));
  await context.close();
  console.log(`${name}.png`);
}

const folder = mkdtempSync(join(tmpdir(), 'gongdan-pictures-'));
const port = await quietPort();
const node = await startNode(port, { ADMIN_PASSWORD: password, DEMO: '1', LOG_LEVEL: 'warn', DATA_DIR: folder });
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
try {
  const tokens = new Map<string, string>();
  for (const person of new Set(pages.map(([, who]) => who))) tokens.set(person, await signIn(node.url, person));
  for (const [name, person, path] of pages) {
    const token = tokens.get(person)!;
    const at = path.endsWith('/') ? path + String(await firstDuty(node.url, token)) : path;
    for (const [width, look] of Object.entries(widths))
      await take(browser, node.url, { name: name + width, path: at, token, look });
  }
  const look = { ...widths[''], colorScheme: 'dark' as const };
  await take(browser, node.url, { name: 'dark', path: '/ticket/duty', token: tokens.get('song.mingjie')!, look });
} finally {
  await browser.close();
  await node.stop('SIGTERM');
  rmSync(realpathSync(join(folder, 'postgres')), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
