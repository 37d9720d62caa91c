import type { ReplyOf } from '#kernel/contract/call.ts';
import type { alumni } from '../contract.ts';

type Counted = ReplyOf<typeof alumni.count>;

/** What alumni are told apart by, beside the search; `group` names its values in the count. */
export const alumniFilters = [
  { key: 'college', label: '学院', group: 'by_college', often: true },
  { key: 'major', label: '专业', group: 'by_major', often: false },
  { key: 'enter_year', label: '入学年份', group: 'by_enter_year', often: false },
  { key: 'graduate_year', label: '毕业年份', group: 'by_year', often: true },
  { key: 'degree', label: '学历', group: 'by_degree', often: false },
  { key: 'city', label: '城市', group: 'by_city', often: false },
] as const satisfies readonly { key: string; label: string; group: keyof Counted; often: boolean }[];

/** The values there are, each with how many alumni have it. */
export const optionsOf = (counted: Counted | undefined, group: (typeof alumniFilters)[number]['group']) =>
  (counted?.[group] ?? [])
    .filter(({ name }) => name !== '')
    .map(({ name, count }) => ({ value: name, label: `${name}（${count} 人）` }));
