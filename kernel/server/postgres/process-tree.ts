import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Ends a program at once with everything it started: the group it leads, or, without groups, what the system's own program finds below it. A process
 * that is already gone is left alone.
 */
export function endTree(child: ChildProcess, groups = process.platform !== 'win32'): void {
  if (child.pid === undefined) return;
  if (!groups) {
    const ending = spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    ending.once('error', () => child.kill('SIGKILL'));
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
