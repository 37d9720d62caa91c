import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { newAttempt } from '../../client.ts';

export interface Draft {
  values: Record<string, unknown>;
  /** The idempotency key of the draft in every window: what was sent already is not done a second time. */
  attempt: string;
  /** Milliseconds since the epoch. */
  at: number;
}
/** Keeps drafts outside this browser, so that they are found on another machine; the shell keeps them on the server. */
export interface Drafts {
  find(name: string): Promise<Draft | null>;
  /** `null` deletes it. */
  keep(name: string, draft: Draft | null): Promise<unknown>;
}
export const DraftsContext = createContext<Drafts | null>(null);

/** A draft in this browser; `carried` is the time of the version that is on the server too. */
type Kept = Draft & { carried?: number };

/** The minimum interval between uploads of a draft; leaving the form or the window uploads it at once. */
const carryAfter = 10_000;

/** Returns the stored value if it is a draft. */
export function asDraft(kept: unknown): Kept | null {
  const draft = kept as Kept | null | undefined;
  return draft && typeof draft.values === 'object' && typeof draft.attempt === 'string' ? draft : null;
}

function read(key: string): Kept | null {
  try {
    return asDraft(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}

function write(key: string, draft: Kept): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // A full or disabled storage must not keep anybody from typing.
  }
}

/** Uploads the draft of this browser when asked to, if it changed. */
function useCarrier(name: string, key: string, drafts: Drafts | null) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const there = useRef(false);
  // A draft from before is not uploaded over a later one of another machine, unless somebody types here too.
  const outdone = useRef(false);
  const carry = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const draft = read(key);
    if (!drafts || !draft || outdone.current || draft.carried === draft.at) return;
    const { values, attempt, at } = draft;
    there.current = true;
    drafts.keep(name, { values, attempt, at }).then(
      () => {
        const now = read(key);
        if (now) write(key, { ...now, carried: at });
        // The draft was sent or discarded while it was on its way.
        else void drafts.keep(name, null).catch(() => undefined);
      },
      () => undefined,
    );
  }, [name, key, drafts]);
  const soon = useCallback(() => {
    outdone.current = false;
    if (drafts) timer.current ??= setTimeout(carry, carryAfter);
  }, [drafts, carry]);
  const forget = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (drafts && there.current) void drafts.keep(name, null).catch(() => undefined);
    there.current = false;
  }, [name, drafts]);
  return { carry, soon, forget, there, outdone };
}

/** Keeps what was typed and not sent in the browser and, a little later, on the server. `found` is the draft from before this form opened. */
export function useDraft(name: string, off = false) {
  const key = `draft:${name}`;
  const kept = useContext(DraftsContext);
  const drafts = off ? null : kept;
  const [found, setFound] = useState<Kept | null>(() => (off ? null : read(key)));
  const [attempt, setAttempt] = useState(newAttempt);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<Omit<Draft, 'at'> | null>(null);
  const { carry, soon, forget, there, outdone } = useCarrier(name, key, drafts);
  const flush = useCallback(() => {
    clearTimeout(timer.current);
    if (!pending.current) return;
    write(key, { ...pending.current, at: Date.now() });
    pending.current = null;
    soon();
  }, [key, soon]);
  /** The next request gets a new key. */
  const renew = useCallback(() => setAttempt(newAttempt()), []);
  const keep = useCallback(
    (values: object) => {
      if (off) return;
      pending.current = { values: { ...values }, attempt };
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, 400);
    },
    [off, flush, attempt],
  );
  const drop = useCallback(() => {
    clearTimeout(timer.current);
    pending.current = null;
    there.current ||= read(key)?.carried !== undefined;
    localStorage.removeItem(key);
    forget();
    setFound(null);
    renew();
  }, [key, forget, there, renew]);
  /** Restores the draft that was found: its values, and its idempotency key. */
  const restore = () => {
    if (found) setAttempt(found.attempt);
    setFound(null);
    return found?.values ?? {};
  };
  useEffect(() => {
    if (!drafts) return;
    let left = false;
    drafts.find(name).then(
      (theirs) => {
        if (left) return;
        const ours = read(key);
        there.current ||= theirs !== null;
        outdone.current = theirs !== null && theirs.at > (ours?.at ?? 0);
        if (outdone.current) setFound(theirs);
        // A draft that was uploaded completely and is gone was sent or discarded on another machine.
        if (theirs || !ours || ours.carried !== ours.at) return;
        localStorage.removeItem(key);
        setFound(null);
      },
      () => undefined,
    );
    return () => void (left = true);
  }, [name, key, drafts, there, outdone]);
  useEffect(() => {
    const leave = () => {
      flush();
      carry();
    };
    const hide = () => document.visibilityState === 'hidden' && leave();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      leave();
    };
  }, [flush, carry]);
  return { found, attempt, keep, drop, renew, restore };
}
