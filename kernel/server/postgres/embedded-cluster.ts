import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../process/config.ts';
import type { Account } from './embedded-account.ts';
import { accountFor, commandAs, mayEnter } from './embedded-account.ts';
import type { Binaries } from './embedded-binaries.ts';

/** `postgres`, the superuser, and `gongdan`, which owns the database of that name. */
export type Passwords = Record<'postgres' | 'gongdan', string>;

/**
 * The directory of the cluster: `dataDir/postgres`. As root, if the account that PostgreSQL runs as cannot reach it (for example below a home
 * directory), a directory in /var/lib, with a link to it in that place.
 */
export function prepareHome(
  dataDir: string,
  log: (line: string) => void,
): { home: string; account: Account | undefined } {
  const place = join(dataDir, 'postgres');
  const account = accountFor(join(place, 'cluster'));
  mkdirSync(dataDir, { recursive: true, mode: account ? 0o711 : 0o700 });
  if (account && existsSync(place)) return { home: realpathSync(place), account };
  if (account) {
    chmodSync(dataDir, statSync(dataDir).mode | 0o001);
    if (!mayEnter(realpathSync(dataDir), account)) {
      const apart = mkdtempSync('/var/lib/gongdan-');
      chmodSync(apart, 0o711);
      symlinkSync(apart, place);
      log(`数据库所用的系统账号无法进入 ${dataDir}，数据库文件存放于 ${apart}`);
      return { home: apart, account };
    }
  }
  mkdirSync(place, { recursive: true, mode: account ? 0o711 : 0o700 });
  return { home: realpathSync(place), account };
}

/** The passwords of the two roles, kept beside the cluster; undefined before its creation. */
export function readPasswords(home: string): Passwords | undefined {
  const file = join(home, 'passwords.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Passwords) : undefined;
}

/** Creates the cluster; its directory appears only when it is complete. Throws `StartupError` with the last lines of initdb. */
export async function createCluster(home: string, account: Account | undefined, binaries: Binaries): Promise<void> {
  const passwords: Passwords = { postgres: randomBytes(24).toString('hex'), gongdan: randomBytes(24).toString('hex') };
  const partial = join(home, 'cluster.new');
  const passwordFile = join(home, 'initial-password');
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  writeFileSync(join(home, 'passwords.json'), JSON.stringify(passwords), { mode: 0o600 });
  writeFileSync(passwordFile, passwords.postgres, { mode: 0o600 });
  if (account) for (const path of [partial, passwordFile]) chownSync(path, account.uid, account.gid);
  // The name C.UTF-8 exists on Linux only; with a plain C beside the builtin provider, trigrams of Chinese text would be empty.
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
  const initdb = commandAs(
    account,
    binaries.initdb,
    [
      '--pgdata',
      partial,
      '--username=postgres',
      '--encoding=UTF8',
      `--locale=${locale}`,
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--data-checksums',
    ],
    true,
  );
  const child = spawn(initdb.file, initdb.args, { ...initdb.options, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  rmSync(passwordFile, { force: true });
  if (code !== 0)
    throw new StartupError(`在 ${home} 中创建数据库失败：${output.trim().split('\n').slice(-3).join(' ')}`);
  renameSync(partial, join(home, 'cluster'));
}
