import { shortTitleOf } from '#kernel/contract/titles.ts';
import { shapeOf } from '../../form/rules.ts';
import { rowOf } from '../columns/listColumns.ts';
import type { AnyListCall } from '../list-call.ts';
import type { ListFilter, NamedFilter } from './FilterBar.tsx';

/** Filters with their labels: from the list's query, else from the row's field of the same name. */
export function namedFilters(
  call: AnyListCall,
  filters: readonly ListFilter[],
  row = shapeOf(rowOf(call)),
): NamedFilter[] {
  const asked = shapeOf(call.query);
  const wordOf = (key: string) => shortTitleOf(asked[key]) ?? shortTitleOf(row[key]);
  return filters.map((filter) => ({ ...filter, label: filter.label ?? wordOf(filter.key) ?? filter.key }));
}
