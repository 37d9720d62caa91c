import { spawnSync } from 'node:child_process';
import type { Account } from './embedded-account.ts';
import { commandAs } from './embedded-account.ts';

/** How a database process is told something: by a signal, or, where a signal would end it on the spot, by its own program. */
export interface Telling {
  readonly signals: boolean;
  readonly pgCtl: string;
  readonly account: Account | undefined;
}

/** Asks for a fast shutdown (`INT`) or one without any waiting (`QUIT`). A process that is gone already is left alone. */
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
