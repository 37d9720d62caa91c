import { codes } from '#kernel/contract/refusal.ts';
import { announce } from '#kernel/web/announce.ts';
import { newAttempt, send, sendBytes, upload } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { files, type FileCard } from '../contract.ts';

/** Bytes of a portion; a file not larger goes at once. */
const portion = 4 * 2 ** 20;
/** Milliseconds before the next try after so many without a byte; after the last one it is the person's turn. */
const pauses = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

export interface TransferOptions {
  signal?: AbortSignal;
  /** Share that has gone, 0–1. */
  onProgress?: (share: number) => void;
  /** The network is gone and comes again: waiting, going on. */
  onPause?: (paused: boolean) => void;
  /** The caller shows failures in its own place; the question to sign in again is asked all the same. */
  quiet?: boolean;
}

/** One file on its way. */
export interface Transfer {
  /** Goes on where it stopped, also when run again after a failure. Failures are thrown as `CallFailed`. */
  run(options?: TransferOptions): Promise<FileCard>;
}

/** A large file goes in portions, and through a network that comes and goes. */
export function createTransfer(file: File, module: string): Transfer {
  const attempt = newAttempt();
  let uploadId: number | null = null;
  const atOnce = async (options: TransferOptions) => {
    const { signal, onProgress } = options;
    const card = await upload(files.upload, { body: { module } }, file, {
      ...(signal ? { signal } : {}),
      attempt,
      quiet: true,
      onProgress: (share) => onProgress?.(share ?? 0),
    });
    if ('sha256' in card) return card;
    throw CallFailed.network();
  };
  const inPortions = async (options: TransferOptions, moved: () => void) => {
    const { signal, onProgress } = options;
    const quiet = { ...(signal ? { signal } : {}), quiet: true };
    if (uploadId === null) {
      const begun = await upload(files.upload, { body: { module, size: file.size } }, new File([], file.name), quiet);
      if (!('upload_id' in begun)) throw CallFailed.network();
      uploadId = begun.upload_id;
    }
    const params = { id: uploadId };
    let at = await send(files.progress, { params }, quiet);
    while (!at.file) {
      const { offset } = at;
      const bytes = file.slice(offset, offset + portion);
      at = await sendBytes(files.append, { params, query: { offset } }, bytes, {
        ...quiet,
        onProgress: (share) => onProgress?.(Math.min(0.99, (offset + (share ?? 0) * bytes.size) / file.size)),
      });
      moved();
    }
    return at.file;
  };
  return {
    async run(options = {}) {
      let tries = 0;
      for (;;) {
        try {
          const card = await (file.size > portion ? inPortions(options, () => (tries = 0)) : atOnce(options));
          options.onPause?.(false);
          return card;
        } catch (error) {
          if (gone(error)) uploadId = null;
          const pause = passing(error) ? pauses[tries++] : undefined;
          if (pause === undefined) {
            if (error instanceof CallFailed && (!options.quiet || error.code === codes.signedOut)) announce(error);
            throw error;
          }
          options.onPause?.(true);
          await rest(pause, options.signal);
          options.onPause?.(false);
        }
      }
    },
  };
}

/** Failures that pass by themselves: no network, a server that restarts, another portion that was first. */
function passing(error: unknown): boolean {
  if (!(error instanceof CallFailed)) return false;
  if (error.kind === 'status') return error.status >= 500;
  return error.kind !== 'refused' || error.code === codes.conflict || error.code === codes.notNow;
}

const gone = (error: unknown) => error instanceof CallFailed && error.code === codes.absent;

/** Waits, but not longer than the network is away. */
function rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal?.removeEventListener('abort', done);
      if (signal?.aborted) reject(new DOMException('stopped', 'AbortError'));
      else resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
