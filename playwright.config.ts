import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './scripts/find-browser.ts';

const port = Number((process.env.E2E_PORT ??= String(20_000 + (process.pid % 20_000))));
const dataDir = (process.env.E2E_DATA ??= mkdtempSync(join(tmpdir(), 'gongdan-e2e-')));

export default defineConfig({
  testDir: 'e2e',
  // The real product as a newcomer starts it, with the demo organisation, on a database of its own.
  webServer: {
    command: `"${process.execPath}" apps/server/main.ts`,
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 180_000,
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: 'Gongdan@2026',
      DEMO: '1',
      LOG_LEVEL: 'warn',
      OUTGOING_ALLOW: '127.0.0.0/8',
    },
  },
  outputDir: '.cache/playwright',
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  // What passes only when repeated passes, and is named in the run's list.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // A click on something that is still sliding in may begin on it and end beside it.
    contextOptions: { reducedMotion: 'reduce' },
    // Recorded all the time, it takes a good part of each step; a failure is seen by its picture, its repetition by its trace.
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
