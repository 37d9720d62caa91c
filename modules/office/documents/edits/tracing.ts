import { Worker } from 'node:worker_threads';
import { createTurns } from '#kernel/server/jobs/turns.ts';
import type { TracedPart } from '../contract/files/edits.ts';
import { textIn, type Source } from './source.ts';

const timeLimit = 10_000;
const turn = createTurns(1);

/**
 * Traces a text through its versions in a separate thread, because long texts that share little take seconds. On timeout the first text is
 * shown as deleted and the last as inserted.
 */
export function traced(versions: readonly Source[]): Promise<TracedPart[]> {
  return turn(() => inThread(versions));
}

function inThread(versions: readonly Source[]): Promise<TracedPart[]> {
  const worker = new Worker(new URL('./trace-worker.ts', import.meta.url), {
    workerData: versions,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  const [first, last] = [versions[0]!, versions.at(-1)!];
  const whole = (): TracedPart[] => [
    { kind: 'gone', text: textIn(first), no: last.no },
    { kind: 'new', text: textIn(last), no: last.no },
  ];
  return new Promise<TracedPart[]>((resolve, reject) => {
    const timer = setTimeout(() => resolve(whole()), timeLimit);
    worker.on('message', resolve);
    worker.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(whole()) : reject(error),
    );
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(whole());
    });
  }).finally(() => worker.terminate());
}
