// `npm run pictures` takes pictures of the demo's ten most used pages, on a desktop and a phone, into docs/pictures. `-- --at URL` uses a running
// product.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser } from '@playwright/test';
import sharp from 'sharp';
import { quietPort } from '../apps/server/testing/port.ts';
import { demoPassword, startDemo } from '../apps/server/testing/demonstration.ts';
import { browserFlags, findBrowser } from './find-browser.ts';
import { pictured, windows, type Pictured } from './pictured.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');

async function tokenOf(origin: string, username: string): Promise<string> {
  const answer = await fetch(new URL('/api/accounts/login/', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: demoPassword }),
  });
  return ((await answer.json()) as { data: { jwt: string } }).data.jwt;
}

async function draw(browser: Browser, origin: string, token: string, one: Pictured): Promise<void> {
  for (const [suffix, look] of Object.entries(windows)) {
    if (one.only !== undefined && one.only !== suffix) continue;
    const context = await browser.newContext({
      ...look,
      baseURL: origin,
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
      reducedMotion: 'reduce',
      colorScheme: one.dark ? 'dark' : 'light',
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    await page.goto('/readyz');
    await page.evaluate((kept) => localStorage.setItem('Admin-Token', kept), token);
    const asked = await page.request.get(one.first ?? '/readyz', { headers: { authorization: `JWT ${token}` } });
    const id = one.first ? ((await asked.json()) as { data: { value: { id: number }[] } }).data.value[0]!.id : 0;
    await page.goto(one.path.replace('{id}', String(id)));
    if (one.press)
      await page
        .getByRole('button', { name: new RegExp(`^${one.press}`) })
        .first()
        .click();
    // The heading is there, no placeholders are left, and no requests are under way.
    await page.locator('main :is(h1, h2)').filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(
      () => !document.querySelector('main :is(.ant-skeleton, .kit-dimmed)')?.checkVisibility(),
    );
    const bytes = await page.screenshot();
    // A page needs few colours, and the repository keeps the pictures for ever.
    writeFileSync(
      join(folder, `${one.name}${suffix}.png`),
      await sharp(bytes).png({ palette: true, colours: 128 }).toBuffer(),
    );
    console.log(`${one.name}${suffix}.png`);
    await context.close();
  }
}

const { values } = parseArgs({ options: { at: { type: 'string' } } });
const data = values.at ? undefined : mkdtempSync(join(tmpdir(), 'gongdan-pictures-'));
const office = data ? await startDemo(await quietPort(), data) : undefined;
// A phone's native inputs are drawn in the browser's language.
const browser = await chromium.launch({ executablePath: findBrowser(), args: [...browserFlags, '--lang=zh-CN'] });
try {
  const origin = values.at ?? office!.url;
  for (const one of pictured) await draw(browser, origin, await tokenOf(origin, one.who), one);
} finally {
  await browser.close();
  await office?.stop('SIGTERM');
  if (data) {
    rmSync(realpathSync(join(data, 'postgres')), { recursive: true, force: true });
    rmSync(data, { recursive: true, force: true });
  }
}
