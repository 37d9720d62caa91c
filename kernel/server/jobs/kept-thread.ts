import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread did not answer in time, or exceeded its memory. */
export class ThreadOverdone extends Error {}

/** The time for which a thread waits for its next question: what it has loaded (fonts, compiled code) is worth keeping rather than loading again. */
const keptMs = 60_000;

export interface KeptThread {
  /** Milliseconds allowed for one question. */
  patience: number;
  /** Read when the thread is started. */
  options(): WorkerOptions;
  /** Milliseconds for which it is kept without a question; a minute unless given. */
  keptMs?: number;
}

/**
 * A thread that starts with the first question, is kept for those that follow and ends when none comes for a while. The caller must send one question
 * at a time; the thread posts one answer to each and never keeps the process from stopping. Rejects with `ThreadOverdone` if a question exceeds its
 * limits, which ends the thread; the next question starts a new one.
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
    // A thread that ends between two questions is started again.
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
