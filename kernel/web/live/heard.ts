import { useEffect, useState, useSyncExternalStore } from 'react';

const turns = new Map<string, number>();
const listeners = new Set<() => void>();
/** Stands for whichever topic. */
export const anyTopic = 'any';
const turnOf = (topic: string) =>
  topic === anyTopic
    ? [...turns.values()].reduce((sum, turn) => sum + turn, 0)
    : (turns.get(topic) ?? 0) + (turns.get('*') ?? 0);

/** Something changed in these topics, the modules of calls; `*` is all of them. */
export function heardOf(topics: Iterable<string>): void {
  for (const topic of topics) turns.set(topic, (turns.get(topic) ?? 0) + 1);
  for (const listener of listeners) listener();
}

/** Which word of a topic has come since its answers were last asked for; 0 when none has. */
export function useHeardSince(topic: string, asking: boolean): number {
  const turn = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => turnOf(topic),
  );
  const [since, setSince] = useState(turn);
  useEffect(() => {
    if (asking) setSince(turnOf(topic));
  }, [asking, topic]);
  return turn > since ? turn : 0;
}
