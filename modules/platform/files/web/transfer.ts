import { codes } from '#kernel/contract/refusal.ts';
import { announce } from '#kernel/web/announce.ts';
import { newAttempt, send, sendBytes, upload } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { files, type FileCard, type Progress } from '../contract.ts';

/** Bytes of a portion; a smaller file is sent at once, unless the connection breaks twice. */
const portion = 2 ** 20;
const atOnceTries = 2;
/** Milliseconds before the next try, by the number of tries without progress; after the last one the person decides. */
const pauses = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

export interface TransferOptions {
  signal?: AbortSignal;
  /** The share sent, 0–1. */
  onProgress?: (share: number) => void;
  /** Called when it waits before the next try because of a temporary error, and with null when it goes on. */
  onPause?: (why: CallFailed | null) => void;
  /** The caller shows errors itself; the request to sign in again is shown all the same. */
  quiet?: boolean;
}

/** One upload. */
export interface Transfer {
  /** Continues where it stopped, also when run again after an error. Errors are thrown as `CallFailed`. */
  run(options?: TransferOptions): Promise<FileCard>;
  /** Cancels the upload: the server frees its space. Errors are ignored. */
  cancel(): Promise<void>;
}

/** Uploads a large file in portions, and copes with an unreliable network. */
export function createTransfer(file: File, module: string): Transfer {
  const attempt = newAttempt();
  let uploadId: number | null = null;
  /** Bytes the server is known to have. */
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
  /** A slow connection is cut again and again, each time after some progress. */
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

/** Deletes an uploaded file that belongs to no record from the server. */
export const discard = (id: number) => dismiss(send(files.discard, { params: { id } }, { quiet: true }));

/** Space that could not be freed is freed automatically within a day. */
const dismiss = (freeing: Promise<unknown>): Promise<void> =>
  freeing.then(
    () => undefined,
    () => undefined,
  );

/** Temporary errors: no network, a restarting server, a concurrent portion. */
function passing(error: CallFailed): boolean {
  if (error.kind === 'status') return error.status >= 500;
  return error.kind !== 'refused' || passingCodes.includes(error.code);
}
/** An absent upload was ended meanwhile, and begins anew. */
const passingCodes: readonly number[] = [codes.conflict, codes.notNow, codes.absent];

const gone = (error: unknown) => error instanceof CallFailed && error.code === codes.absent;

/** Waits, but not longer than until the network is back. */
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
