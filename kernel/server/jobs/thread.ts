import { Worker } from 'node:worker_threads';

interface Bounds {
  milliseconds: number;
  megabytes: number;
}

/**
 * Runs one task in its own thread with bounds on memory and time; the thread posts its answer. The result is `tooBig` if it exceeds the bounds, and
 * `broken` if it ends without an answer.
 */
export function inThread<A>(
  url: URL,
  workerData: unknown,
  { milliseconds, megabytes }: Bounds,
  { tooBig, broken }: { tooBig: A; broken: A },
): Promise<A> {
  const worker = new Worker(url, {
    workerData,
    env: {},
    // The PDF reader prints warnings about missing fonts, which nobody needs.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  return new Promise<A>((resolve, reject) => {
    const timer = setTimeout(() => resolve(tooBig), milliseconds);
    worker.on('message', resolve);
    worker.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(tooBig) : reject(error),
    );
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(broken);
    });
  }).finally(() => worker.terminate());
}
