import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../process/config.ts';
import { signalProcess, type Telling } from './embedded-signal.ts';

/** The contents of PostgreSQL's own lock file for a live server. */
export interface Running {
  readonly pid: number;
  readonly port: number;
  /** Accepts connections. */
  readonly ready: boolean;
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat after the name: state first. Empty if there is no such file system. */
function statOf(pid: number): string[] {
  const stat = readProc(pid, 'stat');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
}

/** True if the process runs; one that has ended but was not collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return statOf(pid)[0] !== 'Z';
}

/** A process and its start time, so that a reused process id is not taken for it. */
const identity = (pid: number) => `${pid} ${statOf(pid)[19] ?? ''}`;

/** The server that runs on `cluster`, or undefined. Removes a lock file whose process id now belongs to another program. */
export function runningOn(cluster: string): Running | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const command = readProc(pid, 'cmdline');
  if (command !== undefined && !command.includes('postgres')) {
    rmSync(file, { force: true });
    return undefined;
  }
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** Records that this process runs the database in `home`. */
export function claim(home: string): void {
  writeFileSync(join(home, 'owner'), identity(process.pid));
}

/**
 * Makes sure that no server runs on `cluster`: one left behind by a killed owner is stopped and waited for. Throws `StartupError` if its owner lives,
 * or if it does not stop in 20 s.
 */
export async function ensureFree(home: string, cluster: string, telling: Telling): Promise<void> {
  const running = runningOn(cluster);
  if (!running) return;
  const file = join(home, 'owner');
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const ownerPid = Number.parseInt(owner, 10);
  if (owner === '' || (isAlive(ownerPid) && identity(ownerPid) === owner))
    throw new StartupError(
      `数据目录 ${home} 正在被另一个进程使用（进程号 ${owner === '' ? running.pid : ownerPid}），请先停止它，或用环境变量 DATA_DIR 换一个目录。`,
    );
  signalProcess(running.pid, 'INT', telling);
  for (let waited = 0; runningOn(cluster) !== undefined; waited += 50) {
    if (waited > 20_000)
      throw new StartupError(
        `数据目录 ${home} 中遗留的数据库进程（进程号 ${running.pid}）未能停止，请结束该进程后重试。`,
      );
    await sleep(50);
  }
}
