import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { caller, test } from './office.ts';

test('the sign-in page transfers at most 120 KB, and with the first list 380 KB in all', async ({ page, baseURL }) => {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', (loaded) => (bytes += loaded.encodedDataLength));
  await session.send('Network.enable');
  await page.goto('/login');
  await expect(page.getByLabel('密码')).toBeVisible();
  await page.waitForLoadState('networkidle');
  test.info().annotations.push({ type: 'KB', description: String(Math.round(bytes / 1024)) });
  expect(bytes / 1024).toBeLessThan(120);
  const { token } = await caller(baseURL, 'shi.yufei');
  await page.evaluate((kept) => localStorage.setItem('Admin-Token', kept), token);
  await page.goto('/ticket/all');
  await expect(page.locator('.ant-table-row').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  test.info().annotations.push({ type: 'KB', description: String(Math.round(bytes / 1024)) });
  expect(bytes / 1024).toBeLessThan(380);
});

test('no program part except frame and libraries exceeds 120 KB, and no page waits for charts, graphs, editors and PDFs', () => {
  const assets = join(import.meta.dirname, '../dist/web/assets');
  const texts = new Map(
    readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
  );
  const known = (mark: RegExp) => [...texts].flatMap(([name, text]) => (mark.test(text) ? [name] : []));
  const marks = [/registerChartView/, /ProseMirror-/, /org\.eclipse\.elk/, /PasswordException/].map(known);
  for (const holders of marks) expect(holders).toHaveLength(1);
  const libraries = new Set(marks.flat());
  const size = (name: string) => {
    const zipped = statSync(join(assets, `${name}.br`), { throwIfNoEntry: false });
    return (zipped ?? statSync(join(assets, name))).size / 1024;
  };
  const heavy = [...texts.keys()].filter((name) => size(name) > 120 && !name.startsWith('office-'));
  expect(heavy.filter((name) => !libraries.has(name))).toEqual([]);

  const needs = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    for (const [, other] of texts.get(name)!.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      needs(other!, found);
    return found;
  };
  const pages = [...texts.keys()].filter((name) => /Page-/.test(name));
  expect(pages.length).toBeGreaterThan(80);
  const waiting = pages.flatMap((name) =>
    [...needs(name)].filter((one) => libraries.has(one)).map((one) => `${name} waits for ${one}`),
  );
  expect(waiting).toEqual([]);
});
