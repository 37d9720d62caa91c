import { createContext, use, useCallback, useEffect, useState } from 'react';

/** Tells the surrounding form that a value is still on its way; returns a function that reports its arrival. */
type Hold = () => () => void;
export const HoldContext = createContext<Hold>(() => () => undefined);

/** Keeps the surrounding form from being sent while `lasts` is true. */
export function useHold(lasts: boolean): void {
  const hold = use(HoldContext);
  useEffect(() => (lasts ? hold() : undefined), [lasts, hold]);
}

/** Counts the values on their way: a form is not sent before all of them have arrived. */
export function useHeld(): { held: boolean; hold: Hold } {
  const [count, setCount] = useState(0);
  const hold = useCallback(() => {
    setCount((before) => before + 1);
    return () => setCount((before) => before - 1);
  }, []);
  return { held: count > 0, hold };
}

/** The label of the send button meanwhile. */
export const filesComing = '文件上传中，请稍候';
