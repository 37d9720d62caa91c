import type { ReplyOf } from '#kernel/contract/call.ts';
import { titleOf } from '#kernel/contract/titles.ts';
import type { alumni } from '../contract.ts';
import { alumnusFilter } from '../contract/filter.ts';

type Counted = ReplyOf<typeof alumni.count>;

/** Filters of alumni besides the search; `group` names their values in the count. */
export const alumniFilters = [
  { key: 'college', group: 'by_college', often: true },
  { key: 'major', group: 'by_major', often: false },
  { key: 'enter_year', group: 'by_enter_year', often: false },
  { key: 'graduate_year', group: 'by_year', often: true },
  { key: 'degree', group: 'by_degree', often: false },
  { key: 'city', group: 'by_city', often: false },
] as const satisfies readonly { key: keyof typeof alumnusFilter; group: keyof Counted; often: boolean }[];

/** The name of one of them. */
export const alumniWord = (key: keyof typeof alumnusFilter): string => titleOf(alumnusFilter[key]) ?? key;

/** The existing values, each with its number of alumni. */
export const optionsOf = (counted: Counted | undefined, group: (typeof alumniFilters)[number]['group']) =>
  (counted?.[group] ?? [])
    .filter(({ name }) => name !== '')
    .map(({ name, count }) => ({ value: name, label: `${name}（${count} 人）` }));
