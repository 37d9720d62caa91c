import { keepPreviousData } from '@tanstack/react-query';
import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { PersonCard } from '../contract/cards.ts';
import { lookups } from '../contract/lookups.ts';

interface Common {
  id?: string | undefined;
  disabled?: boolean | undefined;
  placeholder?: string;
  /** Only people of this department and below. */
  dept?: number;
  /** Cards of those already chosen, so that their names show at once. */
  known?: readonly PersonCard[];
  'aria-label'?: string;
  'aria-invalid'?: 'true' | undefined;
  'aria-describedby'?: string | undefined;
}
type Chosen<K> =
  | { multiple?: false; value?: K | null | undefined; onChange?: ((value: K | undefined) => void) | undefined }
  | { multiple: true; value?: readonly K[] | undefined; onChange?: ((value: K[]) => void) | undefined };
export type PersonPickerProps = Common & (({ by: 'id' } & Chosen<number>) | ({ by?: 'username' } & Chosen<string>));

/** Picks working people by name, pinyin, initials or room; its value is user names, or ids with `by="id"`. */
export function PersonPicker(props: PersonPickerProps) {
  const { id, disabled, placeholder = '输入姓名或拼音', dept, known = [], by = 'username', multiple, value } = props;
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  const [seen, setSeen] = useState<readonly PersonCard[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text]);
  const { data = [], isFetching } = useCall(
    lookups.simpleUsers,
    { query: { search_value: search, limit: 20, ...(dept ? { dept } : {}) } },
    { placeholderData: keepPreviousData },
  );
  const chosen = (Array.isArray(value) ? value : [value]) as unknown[];
  const cards = new Map([...known, ...seen, ...data].map((card) => [card[by], card]));
  const listed = [...cards.values()].filter((card) => data.includes(card) || chosen.includes(card[by]));
  return (
    <Select
      id={id}
      className="kit-wide"
      disabled={disabled ?? false}
      placeholder={placeholder}
      allowClear
      mode={multiple ? 'multiple' : undefined}
      aria-label={props['aria-label']}
      aria-invalid={props['aria-invalid']}
      aria-describedby={props['aria-describedby']}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      loading={isFetching}
      notFoundContent={isFetching ? '正在查找' : '没有找到，可换姓名或拼音再试'}
      options={listed.map((card) => ({
        value: card[by],
        label: card.dept_name ? `${card.alias}（${card.dept_name}）` : card.alias,
      }))}
      value={(multiple ? [...(value ?? [])] : (value ?? undefined) || undefined) as never}
      onChange={(next: unknown) => {
        setSeen([...cards.values()]);
        (props.onChange as ((value: unknown) => void) | undefined)?.(next);
      }}
    />
  );
}
