import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { findBrowser, findShell, sayBrowser } from './find-browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'gongdan-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function program(name: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
}
const [named, own, onPath, usual] = ['mine', 'own', 'google-chrome', 'usual'].map((name) => program(name)) as [
  string,
  string,
  string,
  string,
];

test('the browser is the named one, else the tests’ own, else one on the path, else one in its usual place', () => {
  const env = { BROWSER_PATH: named, PATH: `/nowhere:${folder}` };
  expect(findBrowser(env, [own, usual])).toBe(named);
  expect(findBrowser({ PATH: env.PATH }, [own, usual])).toBe(own);
  expect(findBrowser({ PATH: env.PATH }, [undefined, usual])).toBe(onPath);
  expect(findBrowser({ PATH: '/nowhere' }, [undefined, usual])).toBe(usual);
});

test('the headless browser is one on the path, unless another browser is named', () => {
  const shell = program('chromium-headless-shell');
  expect(findShell({ PATH: `/nowhere:${folder}` })).toBe(shell);
  expect(findShell({ PATH: `/nowhere:${folder}`, BROWSER_PATH: named })).toBeUndefined();
  expect(findShell({ PATH: '/nowhere' })).toBeUndefined();
});

test('a missing file or one that is no program is skipped', () => {
  const text = program('text', 0o644);
  expect(findBrowser({ BROWSER_PATH: join(folder, 'gone'), PATH: '' }, [text, usual])).toBe(usual);
  expect(findBrowser({}, [undefined, join(folder, 'gone')])).toBeUndefined();
});

test('without a browser one sentence says what to do and the command fails', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(sayBrowser(undefined)).toBe(1);
  expect(said.mock.calls).toEqual([
    ['没有找到可用的浏览器，也无法自动安装：请安装 Chromium 或 Chrome，或用环境变量 BROWSER_PATH 指定它的路径。'],
  ]);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(sayBrowser(usual)).toBe(0);
});
