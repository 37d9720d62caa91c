import { useLayoutEffect, useRef, useState } from 'react';
import { useDraft } from '../draft.ts';

/**
 * Keeps input as a draft, and begins with the draft that is there, without a question. One that arrives later from another machine replaces it as
 * long as nothing was typed here that only this browser has; otherwise it is `newer`, to be offered.
 */
export function useKeptInput<I extends object>(
  name: string,
  begin: (kept: Record<string, unknown> | undefined) => I,
  off = false,
) {
  const draft = useDraft(name, off);
  const [taken, setTaken] = useState(draft.found);
  // A draft that never left this browser was not seen where the later one was written.
  const [typed, setTyped] = useState(draft.found !== null && draft.found.carried !== draft.found.at);
  const [input, setInput] = useState(() => begin(draft.found?.values));
  let now = input;
  if (!typed && draft.found !== taken) {
    now = begin(draft.found?.values);
    setTaken(draft.found);
    setInput(now);
  }
  // Two changes before the next rendering, such as the words and the person of a choice behind @, do not undo each other.
  const latest = useRef(now);
  useLayoutEffect(() => void (latest.current = now), [now]);
  const change = (part: Partial<I>) => {
    latest.current = { ...latest.current, ...part };
    setInput(latest.current);
    setTyped(true);
    draft.keep(latest.current);
  };
  const clear = () => {
    draft.drop();
    latest.current = begin(undefined);
    setInput(latest.current);
    setTyped(false);
  };
  const { found, restore } = draft;
  return {
    input: now,
    latest,
    change,
    /** Replaces it by what it became without anybody typing. */
    settle: setInput,
    /** Forgets it, because it was sent or dropped. */
    clear,
    newer: {
      found: typed && found !== taken ? found : null,
      restore,
      /** The input of this page stays as it is. */
      drop: () => {
        draft.drop();
        draft.keep(latest.current);
      },
    },
  };
}
