import { Worker } from 'node:worker_threads';

interface Bounds {
  milliseconds: number;
  megabytes: number;
}

/**
 * Does one thing in a thread of its own with bounds on memory and time; the thread posts its answer. What goes beyond them is `tooBig`,
 * a thread that ends without an answer `broken`.
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
    // A reader of PDF tells of fonts it misses: nobody asked.
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
