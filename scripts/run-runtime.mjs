import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { Stop } from './run-process.mjs';

export const neededMajor = 24;

/** The version that a Node program reports, e.g. `24.21.0`; undefined if it does not run here. */
function versionOf(program) {
  const { status, stdout } = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

const parts = (version) => version.split('.').map(Number);

/** True if `one` is a newer release of the same line as `other`. */
function mends(one, other) {
  const [left, right] = [parts(one), parts(other)];
  const differing = left.findIndex((part, index) => part !== right[index]);
  return differing > 0 && left[differing] > right[differing];
}

/**
 * The Node to run on: the one among our packages, or a newer release of the same line on this machine; if there is none, one of at least
 * version 24: the one that runs this script, or the first on the path.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} absolute path; throws `Stop` if there is none.
 */
export function findRuntime(root, env = process.env) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const bundled = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', name);
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes(`node_modules${sep}.bin`))
    .map((folder) => join(folder, name));
  const found = [bundled, process.execPath, ...onPath]
    .filter((program) => existsSync(program))
    .map((program) => ({ program, version: versionOf(program) ?? '0' }))
    .filter(({ version }) => parts(version)[0] >= neededMajor);
  const first = found[0];
  if (first === undefined)
    throw new Stop(
      `需要 Node ${neededMajor} 或更高版本，而本机的 Node 是 ${process.versions.node}，且没有适用于本平台（${process.platform}-${process.arch}）的随附版本，请安装 Node ${neededMajor} 后重试。`,
    );
  return found.reduce((best, one) => (mends(one.version, best.version) ? one : best), first).program;
}
