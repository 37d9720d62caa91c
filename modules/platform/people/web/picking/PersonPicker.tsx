import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import type { PersonCard } from '../../contract/cards.ts';
import { lookups } from '../../contract/lookups.ts';
import { useCards } from './use-cards.ts';

interface Common {
  id?: string | undefined;
  disabled?: boolean | undefined;
  placeholder?: string;
  /** Only people of this department and below. */
  dept?: number;
  /** Cards of people already chosen, so that their names show at once, and also of those who left; the picker asks for the others. */
  known?: readonly PersonCard[];
  'aria-label'?: string;
  'aria-invalid'?: 'true' | undefined;
  'aria-describedby'?: string | undefined;
}
type OnChange<V> = ((value: V) => void) | undefined;
type Chosen<K> =
  | { multiple?: false; value?: K | null | undefined; onChange?: OnChange<K | undefined> }
  | { multiple: true; value?: readonly K[] | undefined; onChange?: OnChange<K[]> };
export type PersonPickerProps = Common & (({ by: 'id' } & Chosen<number>) | ({ by?: 'username' } & Chosen<string>));

const none: readonly PersonCard[] = [];

/** Chooses current staff by name, pinyin, initials or room; its value is user names, or ids with `by="id"`. */
export function PersonPicker(props: PersonPickerProps) {
  const { id, disabled, placeholder = '输入姓名或拼音', dept, known = [], by = 'username', multiple, value } = props;
  const searching = useSearching();
  const [seen, setSeen] = useState<readonly PersonCard[]>([]);
  const {
    data = none,
    isPending,
    isFetching,
  } = useCall(
    lookups.simpleUsers,
    { query: { search_value: searching.search, limit: 20, ...(dept ? { dept } : {}) } },
    { placeholderData: keepPreviousData },
  );
  const chosen = ([value ?? []].flat() as (string | number)[]).filter(Boolean);
  const near = new Set([...known, ...seen, ...data].map((card) => card[by]));
  const asked = useCards(by, isPending ? [] : chosen.filter((key) => !near.has(key)));
  const cards = new Map([...asked, ...known, ...seen, ...data].map((card) => [card[by], card] as const));
  const beside = [...cards.values()].filter((card) => chosen.includes(card[by]) && !data.includes(card));
  // Those chosen keep their names while others are searched for.
  const remember = () => setSeen([...cards.values()]);
  return (
    <SearchSelect
      id={id}
      disabled={disabled}
      placeholder={placeholder}
      mode={multiple ? 'multiple' : undefined}
      aria-label={props['aria-label']}
      aria-invalid={props['aria-invalid']}
      aria-describedby={props['aria-describedby']}
      searching={{
        ...searching,
        setText(text) {
          remember();
          searching.setText(text);
        },
      }}
      loading={isFetching}
      hint="可换姓名或拼音再试"
      options={[...beside, ...data].map((card) => ({
        value: card[by],
        label: card.dept_name ? `${card.alias}（${card.dept_name}）` : card.alias,
      }))}
      value={multiple ? [...(value ?? [])] : (value ?? undefined) || undefined}
      onChange={(next: unknown) => {
        remember();
        (props.onChange as OnChange<unknown>)?.(next);
      }}
    />
  );
}
