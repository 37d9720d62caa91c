import type { QueryClient } from '@tanstack/react-query';

let byItself = false;

/** Repeats the queries marked as such in their `meta`, of some modules or, with `*`, of all. Nobody asked for it, so failures are not shown. */
export function askAnew(queries: QueryClient, topics: ReadonlySet<string>): void {
  // All requests are sent before this returns.
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

/** True if the current request was not made by a person. */
export const isAskedByItself = (): boolean => byItself;
