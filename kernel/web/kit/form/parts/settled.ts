import { useEffect, useState } from 'react';

const pauseMs = 500;

/** What is typed, once the hand rests: for what is reckoned from it on the server. */
export function useSettled<T>(typed: T): T {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
