import { useQueries } from '@tanstack/react-query';
import type { ListCategory } from './bar/CategoryTabs.tsx';
import { totalOf, type Counted } from './bar/RowCount.tsx';

/** Returns the index of the first tab that has rows by the counts shown, or the last if none has; undefined until that is known. */
export function useNextWithRows(tabs: readonly ListCategory[], { call, query }: Counted): number | undefined {
  const totals = useQueries({
    queries: tabs.map(({ value, count, of }) => ({
      ...totalOf(of ?? { call, query: { ...query, category: value } }),
      enabled: count === undefined,
    })),
  });
  for (const [at, { count }] of tabs.entries()) {
    // A tab whose count cannot be determined is opened.
    const total = count === undefined ? (totals[at]?.isError ? 1 : totals[at]?.data?.total) : (count ?? undefined);
    if (total === undefined) return undefined;
    if (total > 0) return at;
  }
  return tabs.length > 0 ? tabs.length - 1 : undefined;
}
