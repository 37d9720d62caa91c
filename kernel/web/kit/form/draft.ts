import { useCallback, useEffect, useRef, useState } from 'react';

interface Draft {
  values: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  at: number;
}

function read(key: string): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null;
    return draft && typeof draft.values === 'object' ? draft : null;
  } catch {
    return null;
  }
}

/** What was typed and not sent, kept in the browser. `found` is the draft from before this form opened. */
export function useDraft(name: string, off = false) {
  const key = `draft:${name}`;
  const [found, setFound] = useState<Draft | null>(() => (off ? null : read(key)));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<Record<string, unknown> | null>(null);
  const flush = useCallback(() => {
    clearTimeout(timer.current);
    if (!pending.current) return;
    try {
      localStorage.setItem(key, JSON.stringify({ values: pending.current, at: Date.now() } satisfies Draft));
    } catch {
      // A full or closed storage must not stop anybody from typing.
    }
    pending.current = null;
  }, [key]);
  const keep = useCallback(
    (values: Record<string, unknown>) => {
      if (off) return;
      pending.current = values;
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, 400);
    },
    [off, flush],
  );
  const drop = useCallback(() => {
    clearTimeout(timer.current);
    pending.current = null;
    localStorage.removeItem(key);
    setFound(null);
  }, [key]);
  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  return { found, keep, drop, dismiss: () => setFound(null) };
}
