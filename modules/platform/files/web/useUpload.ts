import { useRef, useState } from 'react';
import { filesComing, useHold } from '#kernel/web/kit/form/parts/waiting.ts';
import type { FileCard } from '../contract.ts';
import { createTransfer, type TransferOptions } from './transfer.ts';

/** Uploads one file for an action that needs it at once; the surrounding form waits for it. */
export function useUpload(module: string) {
  const [busy, setBusy] = useState(false);
  useHold(busy ? filesComing : '', true);
  const cancel = useRef<() => void>(() => undefined);
  return {
    busy,
    /** Returns the file's card, or null if it was cancelled; errors are thrown as `CallFailed`. */
    async upload(file: File, options: Pick<TransferOptions, 'quiet'> = {}): Promise<FileCard | null> {
      const transfer = createTransfer(file, module);
      const stop = new AbortController();
      cancel.current = () => {
        stop.abort();
        void transfer.cancel();
      };
      setBusy(true);
      try {
        const card = await transfer.run({ ...options, signal: stop.signal });
        return stop.signal.aborted ? null : card;
      } catch (error) {
        if (stop.signal.aborted) return null;
        throw error;
      } finally {
        setBusy(false);
      }
    },
    /** Stops the upload, for example because its drawer was closed: the action must not follow. */
    cancel: () => cancel.current(),
  };
}
