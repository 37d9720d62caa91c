import { spawnSync } from 'node:child_process';
import type { Account } from './embedded-account.ts';
import { commandAs } from './embedded-account.ts';

/** The ways to notify a database process: by a signal, or by PostgreSQL's own program where a signal would kill it. */
export interface Telling {
  readonly signals: boolean;
  readonly pgCtl: string;
  readonly account: Account | undefined;
}

/** Requests a fast shutdown (`INT`) or an immediate one (`QUIT`). A process that is already gone is left alone. */
export function signalProcess(pid: number, what: 'INT' | 'QUIT', { signals, pgCtl, account }: Telling): void {
  if (!signals) {
    const { file, args, options } = commandAs(account, pgCtl, ['kill', what, String(pid)]);
    spawnSync(file, args, { ...options, stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(pid, `SIG${what}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
