import { hostname } from 'node:os';
import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Services } from '#kernel/server/services.ts';
import { findFping } from '#kernel/server/outside/ping.ts';
import { tellOfBlindness } from '../alerts/blind.ts';
import type { NodeOptions } from './node.ts';

export interface Monitoring {
  stop(): Promise<void>;
  /** Ends it as a crash does: nothing is given back. */
  kill(): Promise<void>;
}
type Wanted = Pick<NodeOptions, 'url' | 'places' | 'allow' | 'own' | 'claimMs'>;

/** Looks at what is due in a thread with connections and a loop of its own, so that no handshake keeps a request waiting. */
export async function startMonitoring({ log, databases }: Services, given: Wanted): Promise<Monitoring> {
  const node = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { ...given, node, fping: await findFping() } satisfies Omit<NodeOptions, 'onError'>,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
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
  return {
    kill: async () => void (await worker.terminate()),
    async stop() {
      worker.postMessage('stop');
      await ended;
    },
  };
}
