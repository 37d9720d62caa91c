import { createContext, use, useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** Tells the surrounding page that a part of it is still loading; returns a function that reports its end. */
type Await = () => () => void;
export const TogetherContext = createContext<Await>(() => () => undefined);

/** Keeps the surrounding page from being shown while `lasts` is true, unless it has been shown already. */
export function useAwaited(lasts: boolean): void {
  const wait = use(TogetherContext);
  useLayoutEffect(() => (lasts ? wait() : undefined), [lasts, wait]);
}

/** Milliseconds after which a page is shown though parts of it are missing. */
const longest = 2000;

/** For a page whose parts load by themselves: it is shown once all have arrived, so that none moves another. `begun`: its parts are rendered. */
export function useTogether(begun: boolean): { shown: boolean; wait: Await } {
  const [shown, setShown] = useState(false);
  const open = useRef(0);
  const wait = useCallback(() => {
    open.current += 1;
    return () => {
      open.current -= 1;
      // A part that arrived may bring others, which begin in the same moment.
      queueMicrotask(() => open.current === 0 && setShown(true));
    };
  }, []);
  useLayoutEffect(() => {
    if (!begun) return;
    if (open.current === 0) setShown(true);
    const timer = setTimeout(() => setShown(true), longest);
    return () => clearTimeout(timer);
  }, [begun]);
  return { shown, wait };
}

/** In place of a part whose program is still loading: the surrounding page waits for it. Its children are shown if that takes too long. */
export function ComingPart({ children = null }: { children?: ReactNode }): ReactNode {
  useAwaited(true);
  return children;
}
