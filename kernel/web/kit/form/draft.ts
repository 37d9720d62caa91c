import { useCallback, useEffect, useRef, useState } from 'react';
import { newAttempt } from '../../client.ts';

interface Draft {
  values: Record<string, unknown>;
  /** Under which it is sent, whenever and from whichever window: what was sent already is not done a second time. */
  attempt: string;
  /** Milliseconds since the epoch. */
  at: number;
}

function read(key: string): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null;
    return draft && typeof draft.values === 'object' && typeof draft.attempt === 'string' ? draft : null;
  } catch {
    return null;
  }
}

/** What was typed and not sent, kept in the browser. `found` is the draft from before this form opened. */
export function useDraft(name: string, off = false) {
  const key = `draft:${name}`;
  const [found, setFound] = useState<Draft | null>(() => (off ? null : read(key)));
  const [attempt, setAttempt] = useState(newAttempt);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<Omit<Draft, 'at'> | null>(null);
  const flush = useCallback(() => {
    clearTimeout(timer.current);
    if (!pending.current) return;
    try {
      localStorage.setItem(key, JSON.stringify({ ...pending.current, at: Date.now() } satisfies Draft));
    } catch {
      // A full or closed storage must not stop anybody from typing.
    }
    pending.current = null;
  }, [key]);
  /** What is sent next is something else. */
  const renew = useCallback(() => setAttempt(newAttempt()), []);
  const keep = useCallback(
    (values: Record<string, unknown>) => {
      if (off) return;
      pending.current = { values, attempt };
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, 400);
    },
    [off, flush, attempt],
  );
  const drop = useCallback(() => {
    clearTimeout(timer.current);
    pending.current = null;
    localStorage.removeItem(key);
    setFound(null);
    renew();
  }, [key, renew]);
  /** Takes up what was found: its values, and that what is sent now is what would have been sent then. */
  const restore = () => {
    if (found) setAttempt(found.attempt);
    setFound(null);
    return found?.values ?? {};
  };
  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  return { found, attempt, keep, drop, renew, restore };
}
