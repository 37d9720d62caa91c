import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, timed } from './run-process.mjs';

const folders = ['apps', 'kernel', 'modules', 'e2e', 'bench', 'scripts'];

/**
 * Types, lint, import rules and formatting, in that order; all are run and reported. Resolves to the exit code.
 * @param {string} root
 * @param {string} runtime
 */
export async function checkAll(root, runtime) {
  const program = (...parts) => join(root, 'node_modules', ...parts);
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const checks = [
    ['类型', [program('@typescript', 'native', 'bin', 'tsc'), '-p', '.']],
    ['代码检查', [program('oxlint', 'bin', 'oxlint'), '--deny-warnings', '.']],
    ['导入规则', [program('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--config', 'rules.cjs', ...present]],
    ['结构', [join(root, 'scripts', 'structure.ts')]],
    ['格式', [program('prettier', 'bin', 'prettier.cjs'), '--check', '.', '--log-level', 'warn']],
  ];
  const failed = [];
  for (const [title, args] of checks) {
    const code = await timed(title, () => runStep(root, runtime, args));
    if (code !== 0) failed.push(title);
  }
  console.log(failed.length === 0 ? '检查全部通过' : `检查未通过：${failed.join('、')}`);
  return failed.length === 0 ? 0 : 1;
}
