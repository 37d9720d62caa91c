import { useSyncExternalStore } from 'react';
import type { SavingWaits } from '#kernel/contract/busy.ts';
import { CallFailed } from './failure.ts';

/** Milliseconds what is sent is held while the database is away, and how long until it is sent again. */
export const holding = { longest: 120_000, pause: 3000 };

let waits: SavingWaits | null = null;
let held = 0;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** What an answer says of the database: the page shows it once, however many calls hear it. */
export function heardSaving(header: string | null): void {
  const now = header === 'waits' || header === 'older' ? header : null;
  if (now === waits) return;
  waits = now;
  tell();
}

/** Whether saving waits for the database, and whether something this page sent is held meanwhile. */
export function useSaving(): 'saves' | SavingWaits | 'held' {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (waits === 'older' ? waits : held > 0 ? 'held' : (waits ?? 'saves')),
  );
}

/** Sends, and where the database is away the same again under its key, until it is back; gives up after two minutes. */
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

/** Throws as soon as whoever sent it gave it up. */
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
