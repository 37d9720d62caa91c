import { useEffect, useState, useSyncExternalStore } from 'react';

const turns = new Map<string, number>();
const listeners = new Set<() => void>();
/** Stands for any topic. */
export const anyTopic = 'any';
const turnOf = (topic: string) =>
  topic === anyTopic
    ? [...turns.values()].reduce((sum, turn) => sum + turn, 0)
    : (turns.get(topic) ?? 0) + (turns.get('*') ?? 0);

/** Records that something changed in these topics, the modules of calls; `*` stands for all of them. */
export function heardOf(topics: Iterable<string>): void {
  for (const topic of topics) turns.set(topic, (turns.get(topic) ?? 0) + 1);
  for (const listener of listeners) listener();
}

/** Returns the number of a topic's last notification since its data was last queried; 0 if there was none. */
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
