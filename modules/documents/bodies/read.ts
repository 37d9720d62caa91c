import { Worker } from 'node:worker_threads';
import { createLine, type By } from '#kernel/server/jobs/turns.ts';
import type { WordText } from './docx/text.ts';
import type { PageText } from './pdf-text.ts';

export interface BodyQuestion {
  ext: 'docx' | 'pdf' | 'ofd';
  bytes: Uint8Array;
}
export type BodyAnswer =
  ({ kind: 'text' } & WordText) | ({ kind: 'pages' } & PageText) | { kind: 'locked' | 'damaged' | 'tooBig' };

const timeLimit = 20_000;
const heapLimit = 512;
const line = createLine({ atOnce: 1, waiting: 20, waitingEach: 3 });

/**
 * Reads what somebody sent as the body of a document, in a thread of its own with bounds on memory (512 MB), time (20 s) and unpacked
 * size (64 MB), one at a time. What goes beyond them is `tooBig`. Throws `lineFull` and `ownLineFull` for people.
 */
export function readBytes(by: By, question: BodyQuestion): Promise<BodyAnswer> {
  return line(by, () => readInThread(question));
}

function readInThread(question: BodyQuestion): Promise<BodyAnswer> {
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    workerData: question,
    env: {},
    // A reader of PDF tells of fonts it misses: nobody asked.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  return new Promise<BodyAnswer>((resolve, reject) => {
    const timer = setTimeout(() => resolve({ kind: 'tooBig' }), timeLimit);
    worker.on('message', resolve);
    worker.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ kind: 'tooBig' }) : reject(error),
    );
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve({ kind: 'damaged' });
    });
  }).finally(() => worker.terminate());
}
