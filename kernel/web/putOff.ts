import type { Asked, Calls, ReplyOf } from '#kernel/contract/call.ts';
import { newAttempt, send } from './client.ts';

/** Seconds in which a decision can be undone. */
export const undoSeconds = 10;
/** With the prefix of drafts, so that they are removed when somebody else uses the browser. */
const prefix = 'draft:later:';

interface Kept {
  call: Pick<Calls[string], 'method' | 'path'>;
  asked: { params?: unknown; body?: unknown };
  /** Milliseconds since the epoch. */
  at: number;
}
interface Waiting {
  go(leaving: boolean): Promise<unknown>;
}
const waiting = new Map<string, Waiting>();

/**
 * Sends a decision when it can no longer be undone: after some seconds, at once by `now`, or when the window closes. The browser keeps it until the
 * server has answered: if a window that closed could not send it, the next one sends it under the same key, so that nothing is lost and nothing is
 * done twice.
 */
export function putOff<C extends Calls[string]>(call: C, asked: Asked<C>) {
  const attempt = newAttempt();
  keep(attempt, { call: { method: call.method, path: call.path }, asked: asked as Kept['asked'], at: Date.now() });
  let settle: (reply: Promise<ReplyOf<C>> | null) => void = () => undefined;
  const done = new Promise<ReplyOf<C> | null>((resolve) => (settle = resolve));
  const go = (leaving: boolean) => {
    if (!waiting.delete(attempt)) return done;
    clearTimeout(timer);
    const sent = send(call, asked, { attempt, keepalive: leaving, quiet: leaving });
    void sent.then(
      () => forget(attempt),
      () => leaving || forget(attempt),
    );
    settle(sent);
    return done;
  };
  waiting.set(attempt, { go });
  const timer = setTimeout(() => void go(false).catch(() => undefined), undoSeconds * 1000);
  return {
    /** The reply; null if the decision was undone. */
    done,
    now: () => void go(false).catch(() => undefined),
    undo() {
      if (!waiting.delete(attempt)) return;
      clearTimeout(timer);
      forget(attempt);
      settle(null);
    },
  };
}

/** Sends everything that still waits: `leaving` if nobody will receive the answer. */
export async function sendWaiting(leaving = false): Promise<void> {
  await Promise.allSettled([...waiting.values()].map((one) => one.go(leaving)));
}

/** Sends decisions that earlier windows left behind, each when its time is over. */
export function sendLeftBehind(): void {
  for (const name of Object.keys(localStorage)) {
    const kept = name.startsWith(prefix) ? read(name) : null;
    if (!kept) continue;
    const attempt = name.slice(prefix.length);
    const again = async () => {
      if (waiting.has(attempt) || !localStorage.getItem(name)) return;
      await send(kept.call as Calls[string], kept.asked, { attempt }).catch(() => undefined);
      forget(attempt);
    };
    setTimeout(() => void again(), Math.max(0, kept.at + undoSeconds * 1000 - Date.now()));
  }
}

window.addEventListener('pagehide', () => void sendWaiting(true));

function keep(attempt: string, kept: Kept): void {
  try {
    localStorage.setItem(prefix + attempt, JSON.stringify(kept));
  } catch {
    // A full storage costs the second chance, not the first.
  }
}
const forget = (attempt: string) => localStorage.removeItem(prefix + attempt);
function read(name: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}
