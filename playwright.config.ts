import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './scripts/find-browser.ts';

// Both are kept for those that work, who read this file once more and are told their number.
const firstPort = Number((process.env.E2E_PORT ??= String(20_000 + (process.pid % 20_000))));
export const dataDir = (process.env.E2E_DATA ??= mkdtempSync(join(tmpdir(), 'gongdan-e2e-')));
export const portOf = (worker: number): number => firstPort + worker;

export default defineConfig({
  testDir: 'e2e',
  // An office for each worker, so that no journey meets what another does beside it.
  globalSetup: './e2e/offices.ts',
  workers: 2,
  outputDir: '.cache/playwright',
  forbidOnly: process.env.CI !== undefined,
  // What passes only when repeated passes, and is named in the run's list.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${portOf(Number(process.env.TEST_PARALLEL_INDEX ?? 0))}`,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // A click on something that is still sliding in may begin on it and end beside it.
    contextOptions: { reducedMotion: 'reduce' },
    // Recorded all the time, it takes a good part of each step; a failure is seen by its picture, its repetition by its trace.
    // It would answer in place of what a test puts before the network; the tests of it let it in.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    // Without a UTF-8 locale the browser gives downloads with Chinese names a name of its own.
    launchOptions: {
      executablePath: findBrowser(),
      args: browserFlags,
      env: { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8' },
    },
  },
});
