import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedFiles } from './changed-files.mjs';
import { checksOf } from './run-check.mjs';

const root = mkdtempSync(join(tmpdir(), 'gongdan-changed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const git = (...args: string[]) =>
  spawnSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: root });
const write = (file: string, text: string) => writeFileSync(join(root, file), text);

test('the changed files are those of the branch, of the working tree and new ones, without those that were deleted', () => {
  git('init', '--initial-branch=main');
  for (const file of ['same.ts', 'edited.ts', 'gone.ts']) write(file, '1');
  git('add', '.');
  git('commit', '--message=first');
  git('checkout', '-b', 'branch');
  write('committed.ts', '1');
  git('add', '.');
  git('commit', '--message=second');
  write('edited.ts', '2');
  write('new.md', '1');
  write('新文件.md', '1');
  rmSync(join(root, 'gone.ts'));
  expect(changedFiles(root)).toEqual(['committed.ts', 'edited.ts', 'new.md', '新文件.md']);
});

test('in a checkout of the branch alone the changed files are those since the main of the remote', () => {
  git('update-ref', 'refs/remotes/origin/main', 'refs/heads/main');
  git('branch', '-D', 'main');
  expect(changedFiles(root)).toContain('committed.ts');
});

test('of the changed files code is linted and everything formatted; types and structure are checked as a whole', () => {
  const asked = Object.fromEntries(checksOf(root, ['kernel/a.ts', 'docs/b.md', 'rules.cjs']));
  expect(asked['代码检查']!.slice(-2)).toEqual(['kernel/a.ts', 'rules.cjs']);
  expect(asked['导入规则']!.at(-1)).toBe('kernel/a.ts');
  expect(asked['格式']!.slice(-3)).toEqual(['kernel/a.ts', 'docs/b.md', 'rules.cjs']);
  expect(Object.keys(Object.fromEntries(checksOf(root, [])))).toEqual(['类型', '结构']);
  expect(Object.keys(Object.fromEntries(checksOf(join(import.meta.dirname, '..'))))).toEqual([
    '类型',
    '代码检查',
    '导入规则',
    '结构',
    '格式',
  ]);
});
