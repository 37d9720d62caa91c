import { createContext, use, useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Why a form cannot be sent yet. */
export interface Obstacle {
  /** The sentence for the person. */
  says: string;
  /** It ends by itself, as an upload does; otherwise the person must enter a value anew. */
  passes: boolean;
  /** The value is still being typed, so that nothing needs to be said yet. */
  typing?: boolean;
  /** The field of the form that it stands in. */
  field?: string;
}
/** Tells the surrounding form of an obstacle; returns a function that reports its end. */
export type Hold = (obstacle: Obstacle) => () => void;
export const HoldContext = createContext<Hold>(() => () => undefined);

/** Keeps the surrounding form from being sent unless `says` is empty. */
export function useHold(says: string, passes: boolean, typing = false): void {
  const hold = use(HoldContext);
  useEffect(() => (says === '' ? undefined : hold({ says, passes, typing })), [says, passes, typing, hold]);
}

/** Collects the obstacles: a form is not sent before all of them have ended. `present` holds them before the next rendering too. */
export function useHeld(): { held: readonly Obstacle[]; hold: Hold; present: RefObject<readonly Obstacle[]> } {
  const [held, setHeld] = useState<readonly Obstacle[]>([]);
  const present = useRef<readonly Obstacle[]>([]);
  const hold = useCallback((obstacle: Obstacle) => {
    const become = (obstacles: readonly Obstacle[]) => {
      present.current = obstacles;
      setHeld(obstacles);
    };
    become([...present.current, obstacle]);
    return () => become(present.current.filter((other) => other !== obstacle));
  }, []);
  return { held, hold, present };
}

/** The label of the send button meanwhile. */
export const filesComing = '文件上传中，请稍候';
