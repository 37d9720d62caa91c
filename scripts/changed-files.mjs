import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Every machine with a checkout has `git`.
const ask = (root, ...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();

/** The commit at which this branch left main, or the present one without a main. @param {string} root */
export function findBase(root) {
  return ask(root, 'merge-base', 'HEAD', 'main') || ask(root, 'rev-parse', 'HEAD');
}

/** The files that differ from those at the beginning of the branch, also those that git does not know yet. @param {string} root @returns {string[]} */
export function changedFiles(root) {
  const changed = ask(root, 'diff', '--name-only', findBase(root)).split('\n');
  const added = ask(root, 'ls-files', '--others', '--exclude-standard').split('\n');
  return [...new Set([...changed, ...added])].filter((file) => file !== '' && existsSync(join(root, file))).toSorted();
}
