import { useSyncExternalStore } from 'react';
import type { SavingWaits } from '#kernel/contract/busy.ts';
import { CallFailed } from './failure.ts';

/** Milliseconds for which a write is held while the database is away, and between two tries. */
export const holding = { longest: 120_000, pause: 3000 };

let waits: SavingWaits | null = null;
let held = 0;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** Reads the database's state from an answer: the page shows it once, however many calls receive it. */
export function heardSaving(header: string | null): void {
  const now = header === 'waits' || header === 'older' ? header : null;
  if (now === waits) return;
  waits = now;
  tell();
}

/** Tells whether saving waits for the database, and whether a request of this page is being held. */
export function useSaving(): 'saves' | SavingWaits | 'held' {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (waits === 'older' ? waits : held > 0 ? 'held' : (waits ?? 'saves')),
  );
}

/** Sends a request, and while the database is away repeats it under the same key; gives up after two minutes. */
export async function hold<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  let holds = false;
  try {
    for (const giveUp = Date.now() + holding.longest; ;) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof CallFailed && error.awaits) || Date.now() + holding.pause > giveUp) throw error;
      }
      if (!holds) {
        holds = true;
        held += 1;
        tell();
      }
      await paused(signal);
    }
  } finally {
    if (holds) {
      held -= 1;
      tell();
    }
  }
}

/** Throws as soon as the caller aborts. */
function paused(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, holding.pause);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
