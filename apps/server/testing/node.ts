import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { builtServer } from '../../../scripts/run-build.mjs';

/** One server of the product in a separate process. */
export interface Node {
  url: string;
  pid: number;
  /** Ends it and resolves to its exit code; null if the signal itself ended it. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const longest = 420_000;
const ours = join(import.meta.dirname, '..', '..', '..');
/** The server of a checkout from its sources. */
export const writtenServer = (root: string) => join(root, 'apps', 'server', 'main.ts');
const follow = new URL('../../../scripts/follow-parent.mjs', import.meta.url).href;

/**
 * Starts the product with these settings added to the environment and waits until it is ready. Throws after seven minutes. It ends with the process
 * that started it. The built server unless given, which is there after half the time; the setup of the tests builds it.
 */
export async function startNode(port: number, settings: NodeJS.ProcessEnv, program = builtServer(ours)): Promise<Node> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', follow, program], {
    env: { ...process.env, HOST: '127.0.0.1', LOG_LEVEL: 'error', ...settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const giveUp = Date.now() + longest;
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error(`服务没有启动，退出码 ${child.exitCode}`);
    if (Date.now() > giveUp) {
      child.kill('SIGKILL');
      throw new Error(`服务在 ${longest / 1000} 秒内没有就绪`);
    }
    await pause(50);
  }
  return {
    url,
    pid: child.pid!,
    async stop(signal) {
      child.kill(signal);
      await gone;
      return child.exitCode;
    },
  };
}
