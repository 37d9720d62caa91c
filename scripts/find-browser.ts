import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const shell = 'chromium-headless-shell';
const places = [
  '/usr/bin/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Flags for tests: no network requests of the browser's own, and what a container run by root needs. */
export const browserFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of the build that Playwright installs; undefined without development packages. */
function playwrightsOwn(): string | undefined {
  try {
    const { chromium } = createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test');
    return chromium.executablePath();
  } catch {
    return undefined;
  }
}

/** Path of an installed Chromium or Chrome: BROWSER_PATH, Playwright's own, one on the path, or one in its usual place. */
export function findBrowser(
  env: NodeJS.ProcessEnv = process.env,
  usual: readonly (string | undefined)[] = [playwrightsOwn(), ...places],
): string | undefined {
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const [own, ...others] = usual;
  return [env.BROWSER_PATH, own, ...onPath, ...others].find((path) => path && isProgram(path));
}

/**
 * Path of the headless Chromium, which renders the same pages with a fifth less work; undefined without it, or if BROWSER_PATH names another. It does
 * not support push messages.
 */
export function findShell(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.BROWSER_PATH) return undefined;
  return (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, shell))
    .find(isProgram);
}

/** Prints which browser the tests will use, or what to do without one; returns the exit code. */
export function sayBrowser(browser: string | undefined): number {
  if (browser) console.log(`浏览器：${browser}`);
  else
    console.error(
      '没有找到可用的浏览器，也无法自动安装：请安装 Chromium 或 Chrome，或用环境变量 BROWSER_PATH 指定它的路径。',
    );
  return browser ? 0 : 1;
}

const run = (file: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(file, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 300_000,
  });

const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
const installPackages = (...packages: string[]) =>
  run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], quiet);

/** Installs Debian's package where allowed, else Playwright's own build. */
function installBrowser(): string | undefined {
  if (mayInstall()) {
    run('apt-get', ['update'], quiet);
    installPackages('chromium', 'fonts-noto-cjk');
    const found = findBrowser();
    if (found) return found;
  }
  run(process.execPath, [
    join(import.meta.dirname, '..', 'node_modules', '@playwright', 'test', 'cli.js'),
    'install',
    'chromium',
  ]);
  return findBrowser();
}

if (import.meta.main) {
  let browser = findBrowser();
  if (!browser) {
    console.log('没有找到浏览器，正在安装 Chromium……');
    browser = installBrowser();
  }
  // An older Debian has no such package: then the tests use the whole browser.
  if (browser?.startsWith('/usr/bin/') && !findShell() && mayInstall()) installPackages(shell);
  process.exitCode = sayBrowser(browser);
}
