import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { defaultPerPage, maxPerPage } from '#kernel/contract/shapes.ts';

export interface ListState {
  page: number;
  per_page: number;
  search_value: string;
  order_by?: string;
  desc?: boolean;
  filters: Record<string, string>;
}
const own = new Set(['page', 'per_page', 'search_value', 'order_by', 'desc']);

export function readState(search: URLSearchParams, filterKeys: readonly string[]): ListState {
  const whole = (key: string, otherwise: number, most: number) => {
    const value = Number(search.get(key));
    return Number.isInteger(value) && value > 0 && value <= most ? value : otherwise;
  };
  const filters: Record<string, string> = {};
  for (const key of filterKeys) {
    const value = search.get(key);
    if (value && !own.has(key)) filters[key] = value;
  }
  return {
    page: whole('page', 1, 1_000_000),
    per_page: whole('per_page', defaultPerPage, maxPerPage),
    search_value: search.get('search_value') ?? '',
    order_by: search.get('order_by') ?? undefined,
    desc: search.has('order_by') ? search.get('desc') === 'true' : undefined,
    filters,
  };
}

export function writeState(state: ListState): Record<string, string> {
  const search: Record<string, string> = {};
  if (state.page > 1) search['page'] = String(state.page);
  if (state.per_page !== defaultPerPage) search['per_page'] = String(state.per_page);
  if (state.search_value) search['search_value'] = state.search_value;
  if (state.order_by) search['order_by'] = state.order_by;
  if (state.order_by && state.desc) search['desc'] = 'true';
  return { ...search, ...Object.fromEntries(Object.entries(state.filters).filter(([, value]) => value)) };
}

/**
 * The state of a list in the address; other parts of the address, such as the tab that contains the list, stay. Any change except that of the page
 * goes back to the first page.
 */
export function useListState(filterKeys: readonly string[]) {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  const keys = filterKeys.join();
  const state = useMemo(() => readState(new URLSearchParams(text), keys.split(',')), [text, keys]);
  const change = useCallback(
    (part: Partial<ListState>) => {
      const next = { ...state, page: 1, ...part };
      const others = [...new URLSearchParams(text)].filter(([key]) => !own.has(key) && !keys.split(',').includes(key));
      setSearch({ ...Object.fromEntries(others), ...writeState(next) }, { replace: true });
    },
    [state, setSearch, text, keys],
  );
  const apply = useCallback((saved: string) => setSearch(new URLSearchParams(saved), { replace: true }), [setSearch]);
  return { state, change, apply, text };
}
