import type { QueryClient } from '@tanstack/react-query';

let byItself = false;

/** Asks anew for what says so in its `meta`, of some modules or, by `*`, of all. Nobody asked for it: what fails is not shown. */
export function askAnew(queries: QueryClient, topics: ReadonlySet<string>): void {
  // All of it is sent before this returns.
  byItself = true;
  try {
    void queries.invalidateQueries({
      predicate: ({ meta, queryKey }) =>
        meta?.['live'] === 'any' || (meta?.['live'] === true && (topics.has('*') || topics.has(String(queryKey[0])))),
    });
  } finally {
    byItself = false;
  }
}

/** Whether what is asked just now is asked by nobody. */
export const isAskedByItself = (): boolean => byItself;
