import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..');
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gongdan-run-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content, { mode });
}

/** A checkout with one locked package, a command that prints which Node runs it, and an `npm` that records its calls. */
function layCheckout(installed: 'yes' | 'no' | 'older' = 'yes'): void {
  cpSync(join(repository, 'scripts'), join(root, 'scripts'), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  });
  const lock = (version: string) =>
    JSON.stringify({ packages: { 'node_modules/a': { version, integrity: `sha512-${version}` } } });
  write('package-lock.json', lock('2.0.0'));
  if (installed !== 'no') write('node_modules/.package-lock.json', lock(installed === 'yes' ? '2.0.0' : '1.0.0'));
  write(
    'apps/server/demo.ts',
    'const said: string = `${process.version} ${process.argv.slice(2)}`;\nconsole.log(said);\n',
  );
  write('bin/npm', `#!/bin/sh\necho "npm $*" >> ${join(root, 'npm.log')}\n`, 0o755);
}

function bundleNode(program = process.execPath): void {
  const bin = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(program, join(bin, 'node'));
}

/** A program that reports this release of Node and otherwise is ours. */
function fakeNode(version: string, folder: string): string {
  const path = join(root, folder, 'node');
  write(
    join(folder, 'node'),
    `#!/bin/sh\n[ "$1" = -p ] && echo ${version} && exit 0\nexec ${process.execPath} "$@"\n`,
    0o755,
  );
  chmodSync(path, 0o755);
  return path;
}
const fakeOldNode = () => fakeNode('20.19.0', 'old');

/** Runs run.mjs with only the fake npm and `folders` on the path. */
function run(args: string[], folders: string[] = [], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/run.mjs'), ...args], {
    encoding: 'utf8',
    cwd: root,
    env: { PATH: [join(root, 'bin'), ...folders, '/bin', '/usr/bin'].join(':'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, stdout, stderr };
}
const npmCalls = () => spawnSync('cat', [join(root, 'npm.log')], { encoding: 'utf8' }).stdout;

test('a command runs its program on the bundled Node and passes its arguments on', () => {
  layCheckout();
  bundleNode();
  expect(run(['demo', '--dry-run'])).toMatchObject({ status: 0, stdout: `${process.version} --dry-run\n` });
});

test('the exit code of the program is the exit code of the command', () => {
  layCheckout();
  write('apps/server/demo.ts', 'process.exitCode = 7;\n');
  expect(run(['demo']).status).toBe(7);
});

test('without a bundled Node a recent one is used, and an old one is left aside', () => {
  layCheckout();
  bundleNode(fakeOldNode());
  expect(run(['demo'], [join(root, 'old')])).toMatchObject({ status: 0, stdout: `${process.version} \n` });
});

test('a newer release of the same Node line on the machine is preferred, since it has fixes', async () => {
  const { findRuntime } = await import('./run-runtime.mjs');
  const line = process.versions.node.split('.')[0]!;
  bundleNode();
  const newer = fakeNode(`${line}.999.1`, 'newer');
  fakeNode(`${Number(line) + 2}.0.0`, 'other-line');
  const pathOf = (...folders: string[]) => ({ PATH: folders.map((folder) => join(root, folder)).join(':') });
  expect(findRuntime(root, pathOf('newer', 'other-line'))).toBe(newer);
  expect(findRuntime(root, pathOf('other-line'))).toContain('node_modules');
});

test('without a recent Node one sentence says so', async () => {
  const { findRuntime } = await import('./run-runtime.mjs');
  const actual = process.execPath;
  fakeOldNode();
  process.execPath = join(root, 'old/node');
  try {
    expect(() => findRuntime(root, { PATH: join(root, 'old') })).toThrow(
      /^需要 Node 24 或更高版本.*请安装 Node 24 后重试。$/,
    );
  } finally {
    process.execPath = actual;
  }
});

test('packages that are installed are not installed again', () => {
  layCheckout();
  expect(run(['demo']).status).toBe(0);
  expect(npmCalls()).toBe('');
});

test.each(['no', 'older'] as const)('packages are installed with npm ci if they are missing: %s', (installed) => {
  layCheckout(installed);
  if (installed === 'no') mkdirSync(join(root, 'node_modules'));
  expect(run(['demo']).stdout).toContain('正在安装依赖');
  expect(npmCalls()).toBe('npm ci --include=dev --no-audit --no-fund\n');
});

test('a failed install shows npm’s output and ends with one sentence', () => {
  layCheckout('no');
  write('bin/npm', '#!/bin/sh\necho "npm error network" >&2\nexit 3\n', 0o755);
  const { status, stderr } = run(['demo']);
  expect(status).toBe(1);
  expect(stderr).toMatch(/npm error network\n安装依赖失败（npm ci，退出码 3）/);
});

test('an unknown command is answered with the known ones', () => {
  layCheckout();
  expect(run(['strat'])).toMatchObject({ status: 1, stderr: expect.stringContaining('没有命令“strat”') });
});

test('the server is rebuilt for changes in its own sources and contracts, not in pages or tests', async () => {
  const { hashSources } = await import('./run-build.mjs');
  write('modules/office/stamps/server.ts', 'one');
  const before = hashSources(root, 'server');
  write('apps/web/main.tsx', 'one');
  write('modules/office/stamps/web/Desk.tsx', 'one');
  write('modules/office/stamps/server.test.ts', 'one');
  expect(hashSources(root, 'server')).toBe(before);
  write('modules/office/stamps/contract.ts', 'one');
  const withContract = hashSources(root, 'server');
  expect(withContract).not.toBe(before);
  write('modules/office/stamps/server.ts', 'two');
  expect(hashSources(root, 'server')).not.toBe(withContract);
});

test('the web is rebuilt only when its sources change', async () => {
  const { hashSources } = await import('./run-build.mjs');
  write('apps/web/main.tsx', 'one');
  write('modules/office/stamps/server.ts', 'one');
  const before = hashSources(root);
  write('modules/office/stamps/server.ts', 'two');
  write('apps/web/main.test.tsx', 'one');
  expect(hashSources(root)).toBe(before);
  write('modules/office/stamps/contract.ts', 'one');
  expect(hashSources(root)).not.toBe(before);
});
