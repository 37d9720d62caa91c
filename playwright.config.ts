import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './scripts/find-browser.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: '.cache/playwright',
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: findBrowser(), args: browserFlags },
  },
});
