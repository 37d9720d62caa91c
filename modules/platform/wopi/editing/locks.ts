/** The unexpired lock of a file; null if there is none. */
export type Lock = string | null;

/** Minutes a lock lasts unless it is refreshed. */
export const lockMinutes = 30;
const longest = 1024;

export type LockWish =
  | { kind: 'lock' | 'refresh' | 'unlock'; lock: string }
  | { kind: 'relock'; lock: string; old: string }
  | { kind: 'get' };

/** `keep`: the new lock, none, or undefined for no change. */
export type LockAnswer = { ok: true; keep: Lock | undefined } | { ok: false; reason: string };

/** True if a text can be a lock: printable ASCII, at most 1024 characters. */
export const isLock = (text: string | undefined): text is string =>
  text !== undefined && text.length <= longest && /^[\x20-\x7e]+$/.test(text);

/** The protocol's answer to a request, given the present lock. */
export function answerLock(held: Lock, wish: LockWish): LockAnswer {
  switch (wish.kind) {
    case 'get':
      return { ok: true, keep: undefined };
    case 'lock':
      return held === null || held === wish.lock ? { ok: true, keep: wish.lock } : mismatch(held);
    case 'relock':
      return held === wish.old ? { ok: true, keep: wish.lock } : mismatch(held);
    case 'refresh':
      return held === wish.lock ? { ok: true, keep: wish.lock } : mismatch(held);
    case 'unlock':
      return held === wish.lock ? { ok: true, keep: null } : mismatch(held);
  }
}

/** Only the holder of the lock saves; without a lock only into an empty file. */
export function mayPut(held: Lock, given: string | undefined, size: number): boolean {
  return held === null ? size === 0 : held === given;
}

const mismatch = (held: Lock): LockAnswer => ({
  ok: false,
  reason: held === null ? 'The file is not locked' : 'The file is locked by another session',
});
