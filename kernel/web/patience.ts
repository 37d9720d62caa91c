import { CallFailed } from './failure.ts';

/** Milliseconds without an answer (or, for files, without a byte) after which a call counts as timed out. */
export const patience = 50_000;

/** Aborts after `patience` of silence and distinguishes a timeout from the caller's own abort. */
export function watchdog(options: { signal?: AbortSignal; timeout?: number }) {
  const controller = new AbortController();
  let late = false;
  const bark = () => {
    late = true;
    controller.abort();
  };
  let timer = setTimeout(bark, options.timeout ?? patience);
  const stopped = () => controller.abort();
  options.signal?.addEventListener('abort', stopped);
  if (options.signal?.aborted) stopped();
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(timer);
      timer = setTimeout(bark, options.timeout ?? patience);
    },
    stop() {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stopped);
    },
    explain(error: unknown): unknown {
      if (error instanceof CallFailed) return error;
      if (late) return CallFailed.timeout();
      if (options.signal?.aborted) return error;
      return CallFailed.network();
    },
  };
}
