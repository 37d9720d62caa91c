import { hostname } from 'node:os';
import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { sql } from 'drizzle-orm';
import type { Services } from '#kernel/server/services.ts';
import { findFping } from '#kernel/server/outside/ping.ts';
import { tellOfBlindness } from '../alerts/blind.ts';
import { monitorTable } from '../tables.ts';
import type { NodeOptions } from './node.ts';

export interface Monitoring {
  stop(): Promise<void>;
  /** Ends it like a crash: no lease is returned. */
  kill(): Promise<void>;
}
type Wanted = Pick<NodeOptions, 'url' | 'history' | 'places' | 'allow' | 'own' | 'claimMs'>;

/** Milliseconds between checks for a first monitor. */
const askedMs = 1000;

/**
 * Probes in a thread with its own connections and event loop, so that no handshake delays a request. The thread starts with the first
 * monitor.
 */
export async function startMonitoring({ log, databases }: Services, given: Wanted): Promise<Monitoring> {
  const node = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const fping = await findFping();
  let thread: { worker: Worker; ended: Promise<void> } | null = null;
  let timer: NodeJS.Timeout;
  let asking: Promise<void>;
  let stopped = false;

  const begin = () => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { ...given, node, fping } satisfies Omit<NodeOptions, 'onError'>,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    thread = { worker, ended: new Promise<void>((resolve) => worker.once('exit', () => resolve())) };
    worker.on('message', (said: { error?: string; blind?: boolean }) => {
      if (said.error) log.warn({ reason: said.error }, 'monitoring: not written');
      if (said.blind !== undefined) {
        log.warn({ blind: said.blind }, 'monitoring: our own network');
        if (said.blind)
          void databases
            .write((tx) => tellOfBlindness(tx, node))
            .catch((error: Error) => log.error({ err: error }, 'nobody told'));
      }
    });
    worker.on('error', (error) => log.error({ err: error }, 'monitoring ended'));
  };
  const ask = async () => {
    // Without the database nothing can be probed either.
    const watched = await isWatching(databases).catch(() => false);
    if (stopped) return;
    if (watched) begin();
    else timer = setTimeout(() => (asking = ask()), askedMs);
  };
  asking = ask();

  const rest = async () => {
    stopped = true;
    clearTimeout(timer);
    await asking;
  };
  return {
    async kill() {
      await rest();
      await thread?.worker.terminate();
    },
    async stop() {
      await rest();
      thread?.worker.postMessage('stop');
      await thread?.ended;
    },
  };
}

async function isWatching({ fresh }: Services['databases']): Promise<boolean> {
  const { rows } = await fresh.execute<{ watching: boolean }>(
    sql`select exists (select from ${monitorTable} where ${monitorTable.enabled}) as watching`,
  );
  return rows[0]!.watching;
}
