import { useQueries } from '@tanstack/react-query';
import type { ListCategory } from './bar/CategoryTabs.tsx';
import { totalOf, type Counted } from './bar/RowCount.tsx';

/** Which of some tabs has rows first, by the numbers that they show, the last where none has; undefined until that is known. */
export function useNextWithRows(tabs: readonly ListCategory[], { call, query }: Counted): number | undefined {
  const totals = useQueries({
    queries: tabs.map(({ value, count, of }) => ({
      ...totalOf(of ?? { call, query: { ...query, category: value } }),
      enabled: count === undefined,
    })),
  });
  for (const [at, { count }] of tabs.entries()) {
    // One whose number cannot be had is looked into.
    const total = count === undefined ? (totals[at]?.isError ? 1 : totals[at]?.data?.total) : (count ?? undefined);
    if (total === undefined) return undefined;
    if (total > 0) return at;
  }
  return tabs.length > 0 ? tabs.length - 1 : undefined;
}
