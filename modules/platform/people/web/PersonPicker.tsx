import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import type { PersonCard } from '../contract/cards.ts';
import { lookups } from '../contract/lookups.ts';

interface Common {
  id?: string | undefined;
  disabled?: boolean | undefined;
  placeholder?: string;
  /** Only people of this department and below. */
  dept?: number;
  /** Cards of the people already chosen, so that their names show at once. */
  known?: readonly PersonCard[];
  'aria-label'?: string;
  'aria-invalid'?: 'true' | undefined;
  'aria-describedby'?: string | undefined;
}
/** Called with the value, and with the cards of the people chosen, for drafts that must show their names later. */
type OnChange<V> = ((value: V, cards: PersonCard[]) => void) | undefined;
type Chosen<K> =
  | { multiple?: false; value?: K | null | undefined; onChange?: OnChange<K | undefined> }
  | { multiple: true; value?: readonly K[] | undefined; onChange?: OnChange<K[]> };
export type PersonPickerProps = Common & (({ by: 'id' } & Chosen<number>) | ({ by?: 'username' } & Chosen<string>));

/** Chooses current staff by name, pinyin, initials or room; its value is user names, or ids with `by="id"`. */
export function PersonPicker(props: PersonPickerProps) {
  const { id, disabled, placeholder = '输入姓名或拼音', dept, known = [], by = 'username', multiple, value } = props;
  const searching = useSearching();
  const [seen, setSeen] = useState<readonly PersonCard[]>([]);
  const { data = [], isFetching } = useCall(
    lookups.simpleUsers,
    { query: { search_value: searching.search, limit: 20, ...(dept ? { dept } : {}) } },
    { placeholderData: keepPreviousData },
  );
  const chosen = (Array.isArray(value) ? value : [value]) as unknown[];
  const cards = new Map<string | number, PersonCard>([...known, ...seen, ...data].map((card) => [card[by], card]));
  const listed = [...cards.values()].filter((card) => data.includes(card) || chosen.includes(card[by]));
  return (
    <SearchSelect
      id={id}
      disabled={disabled}
      placeholder={placeholder}
      mode={multiple ? 'multiple' : undefined}
      aria-label={props['aria-label']}
      aria-invalid={props['aria-invalid']}
      aria-describedby={props['aria-describedby']}
      searching={searching}
      loading={isFetching}
      hint="可换姓名或拼音再试"
      options={listed.map((card) => ({
        value: card[by],
        label: card.dept_name ? `${card.alias}（${card.dept_name}）` : card.alias,
      }))}
      value={multiple ? [...(value ?? [])] : (value ?? undefined) || undefined}
      onChange={(next: unknown) => {
        setSeen([...cards.values()]);
        const keys = [next ?? []].flat() as (string | number)[];
        (props.onChange as OnChange<unknown>)?.(
          next,
          keys.flatMap((key) => cards.get(key) ?? []),
        );
      }}
    />
  );
}
