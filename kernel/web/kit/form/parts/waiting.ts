import { createContext, use, useCallback, useEffect, useState } from 'react';

/** Tells the form around that something of it is still on its way; answers what tells that it has arrived. */
type Hold = () => () => void;
export const HoldContext = createContext<Hold>(() => () => undefined);

/** Keeps the form around from being sent as long as it lasts. */
export function useHold(lasts: boolean): void {
  const hold = use(HoldContext);
  useEffect(() => (lasts ? hold() : undefined), [lasts, hold]);
}

/** What is held, for whoever sends: a form is not sent before all of it is there. */
export function useHeld(): { held: boolean; hold: Hold } {
  const [count, setCount] = useState(0);
  const hold = useCallback(() => {
    setCount((before) => before + 1);
    return () => setCount((before) => before - 1);
  }, []);
  return { held: count > 0, hold };
}

/** What its button says meanwhile. */
export const filesComing = '文件上传中，请稍候';
