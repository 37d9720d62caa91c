import { metaOf, shortTitleOf } from '#kernel/contract/titles.ts';
import { shapeOf } from '../../form/rules.ts';
import { rowOf } from '../columns/listColumns.ts';
import type { AnyListCall } from '../list-call.ts';
import type { ListFilter, NamedFilter } from './FilterBar.tsx';

/** Filters with their labels and the codes that they choose from: from the list's query, else from the row's field of the same name. */
export function namedFilters(
  call: AnyListCall,
  filters: readonly ListFilter[],
  row = shapeOf(rowOf(call)),
): NamedFilter[] {
  const asked = shapeOf(call.query);
  const wordOf = (key: string) => shortTitleOf(asked[key]) ?? shortTitleOf(row[key]);
  const codesOf = (key: string) => {
    const options = [asked[key], row[key]].map((schema) => schema && metaOf(schema).options).find(Boolean);
    return options?.map(({ value, label }) => ({ value: String(value), label }));
  };
  return filters.map((filter) => {
    const options = filter.options ?? (filter.kind === 'select' ? codesOf(filter.key) : undefined);
    return { ...filter, ...(options && { options }), label: filter.label ?? wordOf(filter.key) ?? filter.key };
  });
}
