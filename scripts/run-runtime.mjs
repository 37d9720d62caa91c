import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { Stop } from './run-process.mjs';

export const neededMajor = 24;

/** The version a Node program reports, e.g. `24.21.0`; undefined when it does not run here. */
function versionOf(program) {
  const { status, stdout } = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * The Node to run on: the one among our packages, else one of at least version 24: ours own, or the first on the path.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} absolute path; throws `Stop` when there is none.
 */
export function findRuntime(root, env = process.env) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const bundled = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', name);
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes(`node_modules${sep}.bin`))
    .map((folder) => join(folder, name));
  for (const program of [bundled, process.execPath, ...onPath])
    if (existsSync(program) && Number.parseInt(versionOf(program) ?? '0', 10) >= neededMajor) return program;
  throw new Stop(
    `需要 Node ${neededMajor} 或更高版本，而本机的 Node 是 ${process.versions.node}，且没有适用于本平台（${process.platform}-${process.arch}）的随附版本，请安装 Node ${neededMajor} 后重试。`,
  );
}
