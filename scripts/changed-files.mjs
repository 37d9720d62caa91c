import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Every machine with a checkout has `git`.
const ask = (root, ...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();

/** The commit at which this branch left main, also if only the remote has a main, or the present one without any. @param {string} root */
export function findBase(root) {
  return (
    ask(root, 'merge-base', 'HEAD', 'main') ||
    ask(root, 'merge-base', 'HEAD', 'origin/main') ||
    ask(root, 'rev-parse', 'HEAD')
  );
}

/** The files that differ from those at the beginning of the branch, also those that git does not know yet. @param {string} root @returns {string[]} */
export function changedFiles(root) {
  // Separated by zero bytes, because git otherwise quotes names that are not English.
  const changed = ask(root, 'diff', '--name-only', '-z', findBase(root)).split('\0');
  const added = ask(root, 'ls-files', '--others', '--exclude-standard', '-z').split('\0');
  return [...new Set([...changed, ...added])].filter((file) => file !== '' && existsSync(join(root, file))).toSorted();
}
