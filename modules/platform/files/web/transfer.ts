import { codes } from '#kernel/contract/refusal.ts';
import { announce } from '#kernel/web/announce.ts';
import { newAttempt, send, sendBytes, upload } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { files, type FileCard, type Progress } from '../contract.ts';

/** Bytes of a portion; a file not larger goes at once, unless the line breaks twice before it has gone. */
const portion = 2 ** 20;
const atOnceTries = 2;
/** Milliseconds before the next try after so many without a byte; after the last one it is the person's turn. */
const pauses = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

export interface TransferOptions {
  signal?: AbortSignal;
  /** Share that has gone, 0–1. */
  onProgress?: (share: number) => void;
  /** It waits before the next try because of a failure that passes, or goes on. */
  onPause?: (why: CallFailed | null) => void;
  /** The caller shows failures in its own place; the question to sign in again is asked all the same. */
  quiet?: boolean;
}

/** One file on its way. */
export interface Transfer {
  /** Goes on where it stopped, also when run again after a failure. Failures are thrown as `CallFailed`. */
  run(options?: TransferOptions): Promise<FileCard>;
  /** It is wanted no more: the server frees its place. Nothing is told of a failure. */
  cancel(): Promise<void>;
}

/** A large file goes in portions, and through a network that comes and goes. */
export function createTransfer(file: File, module: string): Transfer {
  const attempt = newAttempt();
  let uploadId: number | null = null;
  /** Bytes the server was known to have. */
  let reached = 0;
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
  /** A line that is slow is cut again and again, and each time some more has gone. */
  const inPortions = async (options: TransferOptions, moved: () => void) => {
    const note = (at: Progress) => {
      if (at.offset > reached) moved();
      reached = at.offset;
      return at;
    };
    const { signal, onProgress } = options;
    const quiet = { ...(signal ? { signal } : {}), quiet: true };
    if (uploadId === null) {
      const begun = await upload(files.upload, { body: { module, size: file.size } }, new File([], file.name), quiet);
      if (!('upload_id' in begun)) throw CallFailed.network();
      uploadId = begun.upload_id;
    }
    const params = { id: uploadId };
    let at = note(await send(files.progress, { params }, quiet));
    while (!at.file) {
      const { offset } = at;
      const bytes = file.slice(offset, offset + portion);
      at = note(
        await sendBytes(files.append, { params, query: { offset } }, bytes, {
          ...quiet,
          onProgress: (share) => onProgress?.(Math.min(0.99, (offset + (share ?? 0) * bytes.size) / file.size)),
        }),
      );
    }
    return at.file;
  };
  return {
    async run(options = {}) {
      let tries = 0;
      for (;;) {
        const small = file.size <= portion && uploadId === null && tries < atOnceTries;
        try {
          const card = await (small ? atOnce(options) : inPortions(options, () => (tries = 0)));
          options.onPause?.(null);
          return card;
        } catch (error) {
          if (gone(error)) uploadId = null;
          if (!(error instanceof CallFailed)) throw error;
          const pause = passing(error) ? pauses[tries++] : undefined;
          if (pause === undefined) {
            if (!options.quiet || error.code === codes.signedOut) announce(error);
            throw error;
          }
          options.onPause?.(error);
          await rest(pause, options.signal);
          options.onPause?.(null);
        }
      }
    },
    async cancel() {
      if (uploadId !== null) await dismiss(send(files.cancel, { params: { id: uploadId } }, { quiet: true }));
    },
  };
}

/** Takes a file that was sent from the server where no record has it. */
export const discard = (id: number) => dismiss(send(files.discard, { params: { id } }, { quiet: true }));

/** What could not be freed is freed by itself within a day. */
const dismiss = (freeing: Promise<unknown>): Promise<void> =>
  freeing.then(
    () => undefined,
    () => undefined,
  );

/** Failures that pass by themselves: no network, a server that restarts, another portion that was first. */
function passing(error: CallFailed): boolean {
  if (error.kind === 'status') return error.status >= 500;
  return error.kind !== 'refused' || passingCodes.includes(error.code);
}
/** What is absent was ended meanwhile, and begins anew. */
const passingCodes: readonly number[] = [codes.conflict, codes.notNow, codes.absent];

const gone = (error: unknown) => error instanceof CallFailed && error.code === codes.absent;

/** Waits, but not longer than the network is away. */
export function rest(milliseconds: number, signal?: AbortSignal): Promise<void> {
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
