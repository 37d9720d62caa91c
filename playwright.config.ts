import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { quietPort } from './apps/server/testing/port.ts';
import { browserFlags, findBrowser, findShell } from './scripts/find-browser.ts';

const workers = 2;

// Both are kept for those that work, who read this file once more and are told their number.
const ports = (process.env.E2E_PORTS ??= (await Promise.all(Array.from({ length: workers }, quietPort))).join(
  ',',
)).split(',');
export const dataDir = (process.env.E2E_DATA ??= mkdtempSync(join(tmpdir(), 'gongdan-e2e-')));
export const portOf = (worker: number): number => Number(ports[worker]);

export default defineConfig({
  testDir: 'e2e',
  // An office for each worker, so that no journey meets what another does beside it.
  globalSetup: './e2e/offices.ts',
  workers,
  outputDir: '.cache/playwright',
  forbidOnly: process.env.CI !== undefined,
  // Limits are for what hangs; a machine that others share is several times slower than a quiet one.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${portOf(Number(process.env.TEST_PARALLEL_INDEX ?? 0))}`,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // A click on something that is still sliding in may begin on it and end beside it.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 60_000,
    // It would answer in place of what a test puts before the network; the tests of it let it in.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Without a UTF-8 locale the browser gives downloads with Chinese names a name of its own.
    launchOptions: {
      executablePath: findShell() ?? findBrowser(),
      args: browserFlags,
      env: { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8', LD_PRELOAD: '' },
    },
  },
});
