import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, timed } from './run-process.mjs';

const folders = ['apps', 'kernel', 'modules', 'e2e', 'bench', 'scripts'];

/**
 * Checks types, lint, import rules, structure and formatting in parallel and prints the output of those that fail. Results for unchanged
 * files are kept in `.cache` for the next run. Resolves to the exit code.
 * @param {string} root
 * @param {string} runtime
 */
export async function checkAll(root, runtime) {
  const program = (...parts) => join(root, 'node_modules', ...parts);
  const kept = (name) => join(root, '.cache', 'check', name);
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const checks = [
    [
      '类型',
      [program('@typescript', 'native', 'bin', 'tsc'), '-p', '.', '--incremental', '--tsBuildInfoFile', kept('types')],
    ],
    ['代码检查', [program('oxlint', 'bin', 'oxlint'), '--deny-warnings', '.']],
    [
      '导入规则',
      [
        program('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
        '--config',
        'rules.cjs',
        '--cache',
        kept('imports'),
        ...present,
      ],
    ],
    ['结构', [join(root, 'scripts', 'structure.ts')]],
    ['格式', [program('oxfmt', 'bin', 'oxfmt'), '--check', '.']],
  ];
  const codes = await Promise.all(
    checks.map(([title, args]) => timed(title, () => runStep(root, runtime, args, { quiet: true }))),
  );
  const failed = checks.filter((_check, at) => codes[at] !== 0).map(([title]) => title);
  console.log(failed.length === 0 ? '检查全部通过' : `检查未通过：${failed.join('、')}`);
  return failed.length === 0 ? 0 : 1;
}
