import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread did not answer within its time, or held more than its memory. */
export class ThreadOverdone extends Error {}

/** How long a thread waits for its next question: what it holds by then (fonts, compiled code) is worth more than the time to begin it anew. */
const keptMs = 60_000;

export interface KeptThread {
  /** Milliseconds that one question may take. */
  patience: number;
  /** Read when the thread is begun. */
  options(): WorkerOptions;
  /** Milliseconds that it is kept without a question; a minute unless told. */
  keptMs?: number;
}

/**
 * A thread that is begun with the first question, kept for those that follow and ended when none comes for a while. It gets one question at a time,
 * which is the caller's to see to, posts one answer to each and keeps nobody from stopping. Rejects by `ThreadOverdone` where a question takes more
 * than it may, which ends the thread; the next one gets a new one.
 */
export function keepThread<Question, Answer>(
  url: URL,
  { patience, options, keptMs: kept = keptMs }: KeptThread,
): (question: Question) => Promise<Answer> {
  let thread: Worker | null = null;
  let rest: NodeJS.Timeout | undefined;
  const letGo = (worker: Worker) => {
    if (thread === worker) thread = null;
  };
  const end = (worker: Worker) => {
    letGo(worker);
    void worker.terminate();
  };
  const running = () => {
    if (thread) return thread;
    const worker = new Worker(url, options());
    // One that ends between two questions is made anew.
    worker.on('error', () => letGo(worker)).on('exit', () => letGo(worker));
    worker.unref();
    return (thread = worker);
  };
  return (question) =>
    new Promise<Answer>((resolve, reject) => {
      clearTimeout(rest);
      const worker = running();
      worker.ref();
      const late = setTimeout(() => {
        over();
        end(worker);
        reject(new ThreadOverdone('the thread took too long'));
      }, patience);
      const over = () => {
        clearTimeout(late);
        worker.off('message', hear).off('error', fail).off('exit', stop);
        worker.unref();
      };
      const hear = (answer: Answer) => {
        over();
        rest = setTimeout(() => end(worker), kept).unref();
        resolve(answer);
      };
      const fail = (error: NodeJS.ErrnoException) => {
        over();
        letGo(worker);
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadOverdone('the thread holds too much') : error);
      };
      const stop = () => fail(new Error('the thread has stopped'));
      worker.on('message', hear).on('error', fail).on('exit', stop);
      worker.postMessage(question);
    });
}
