import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles } from './changed-files.mjs';
import { runStep, timed } from './run-process.mjs';

const folders = ['apps', 'kernel', 'modules', 'e2e', 'bench', 'scripts'];
const isCode = (file) => /\.(ts|tsx|js|mjs|cjs)$/.test(file);

/**
 * The checks with the arguments of their programs. Of the changed files alone lint, import rules and formatting are checked, if there are any; types
 * and structure concern the whole tree. Results for unchanged files are kept in `.cache` for the next run.
 * @param {string} root
 * @param {string[]} [changed]
 * @returns {[title: string, args: string[]][]}
 */
export function checksOf(root, changed) {
  const program = (...parts) => join(root, 'node_modules', ...parts);
  const kept = (name) => join(root, '.cache', 'check', name);
  const code = changed ? changed.filter(isCode) : ['.'];
  const drawn = changed
    ? code.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
    : folders.filter((folder) => existsSync(join(root, folder)));
  const written = changed ?? ['.'];
  const types = ['-p', '.', '--incremental', '--tsBuildInfoFile', kept('types')];
  const imports = ['--config', 'rules.cjs', '--cache', kept(changed ? 'imports-of-changed' : 'imports'), ...drawn];
  return [
    ['类型', [program('@typescript', 'native', 'bin', 'tsc'), ...types]],
    ...(code.length > 0 ? [['代码检查', [program('oxlint', 'bin', 'oxlint'), '--deny-warnings', ...code]]] : []),
    ...(drawn.length > 0
      ? [['导入规则', [program('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), ...imports]]]
      : []),
    ['结构', [join(root, 'scripts', 'structure.ts')]],
    ...(written.length > 0
      ? [['格式', [program('oxfmt', 'bin', 'oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...written]]]
      : []),
  ];
}

/**
 * Runs the checks in parallel and prints the output of those that fail; with `--changed` those of the files that differ from main. Resolves to the
 * exit code.
 * @param {string} root
 * @param {string} runtime
 * @param {string[]} args
 */
export async function checkAll(root, runtime, args) {
  const changed = args.includes('--changed') ? changedFiles(root) : undefined;
  if (changed) console.log(`与主干不同的文件有 ${changed.length} 个`);
  const checks = checksOf(root, changed);
  const codes = await Promise.all(
    checks.map(([title, asked]) => timed(title, () => runStep(root, runtime, asked, { quiet: true }))),
  );
  const failed = checks.filter((_check, at) => codes[at] !== 0).map(([title]) => title);
  console.log(failed.length === 0 ? '检查全部通过' : `检查未通过：${failed.join('、')}`);
  return failed.length === 0 ? 0 : 1;
}
