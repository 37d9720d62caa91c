import { useEffect, useState } from 'react';

const pauseMs = 500;

/** The typed value after a pause, for results that the server computes from it. */
export function useSettled<T>(typed: T): T {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
