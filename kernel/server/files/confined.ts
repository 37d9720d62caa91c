import { spawn } from 'node:child_process';
import { endTree } from '../postgres/process-tree.ts';

export interface Bounds {
  /** Seconds of elapsed time, and the same number of processor time. */
  seconds: number;
  /** A limit for each process: memory it writes to, or all addresses it requests. A runtime that reserves far more than it uses needs the first. */
  megabytes: number;
  counts: 'written' | 'asked';
  /** The largest file it may write. */
  fileMegabytes: number;
  /** Its working folder, and the only path it is given. */
  folder: string;
}

/**
 * Runs a program in its own process group, in an environment without our variables, until it ends by itself. Fails if it exits with anything but 0 or
 * exceeds a bound; the whole group is killed then. Memory is bounded if there is a POSIX shell.
 */
export function runConfined(asked: readonly [program: string, ...args: string[]], bounds: Bounds): Promise<void> {
  const { seconds, megabytes, counts, fileMegabytes, folder } = bounds;
  const posix = process.platform !== 'win32';
  // A shell sets the limits, then becomes the program; no argument ever reaches the shell as text to run. One command sets one limit, because some
  // shells accept only the first of several.
  const each = [
    `-t ${seconds}`,
    `-${counts === 'written' ? 'd' : 'v'} ${megabytes * 1024}`,
    `-f ${fileMegabytes * 2048}`,
  ];
  const limits = `${each.map((limit) => `ulimit ${limit} && `).join('')}exec "$@"`;
  const [command, ...args] = posix ? ['/bin/sh', '-c', limits, 'limits', ...asked] : asked;
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' };
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, { cwd: folder, env, stdio: 'ignore', detached: posix, windowsHide: true });
    const kill = () => endTree(child);
    const late = setTimeout(kill, seconds * 1000);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      // Processes that it started and left behind are killed with it.
      if (posix) kill();
      if (code === 0) resolve();
      else reject(new Error(`${asked[0]} ended with ${code ?? signal}`));
    });
  });
}
