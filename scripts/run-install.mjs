import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop, timed } from './run-process.mjs';

let libcOfThisMachine;
function libcName() {
  libcOfThisMachine ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  return libcOfThisMachine;
}

/** True if an optional package of the lock file is made for this kind of machine. */
function isMadeForThisMachine({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch)) && (!libc || libc.includes(libcName()));
}

const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/**
 * True if the installed packages, by npm's own record, are those of the lock file.
 * @param {string} root
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = readPackages(join(root, 'package-lock.json'));
  const found = readPackages(record);
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    const there = found[path];
    if (there) return there.version === entry.version && there.integrity === entry.integrity;
    return Boolean(entry.optional) && !isMadeForThisMachine(entry);
  });
}

function runNpm(root) {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const cli = process.env.npm_execpath;
  const [file, first] = cli && /\.c?js$/.test(cli) ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(file, [...first, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: file === 'npm' && process.platform === 'win32',
  });
}

/**
 * Installs the packages of package-lock.json unless they are there. A stamp records the lock file of the last install, so that an optional
 * package that is not available for this machine is not requested again and again.
 * @param {string} root
 */
export async function ensureDependencies(root) {
  const modules = join(root, 'node_modules');
  const stamp = join(modules, '.installed-for');
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const key = lock.update(`${process.platform}-${process.arch}`).digest('hex');
  const isLink = lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (
    !isLink &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === key &&
    existsSync(join(modules, '.package-lock.json'))
  )
    return;
  if (!isInstalled(root)) {
    if (isLink) {
      // `npm ci` would empty the directory that the link points to, which belongs to another checkout.
      console.error('提示：node_modules 是一个链接，其内容与 package-lock.json 不一致，未自动安装。');
      return;
    }
    console.log('正在安装依赖（首次约需一分钟）……');
    const npm = await timed('安装依赖', async () => runNpm(root));
    if (npm.status !== 0) {
      process.stderr.write(npm.stdout + npm.stderr);
      throw new Stop(
        `安装依赖失败（npm ci，退出码 ${npm.status ?? npm.error?.message}），请检查网络与 npm 的设置后重试。`,
      );
    }
  }
  if (!isLink) writeFileSync(stamp, key);
}
