import { keepPreviousData } from '@tanstack/react-query';
import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { documentAdoption } from '../contract/adopt.ts';

interface Known {
  id: number;
  title: string;
  number: string;
}
const labelOf = ({ title, number }: Known) => (number ? `${title}（${number}）` : title);

/** Picks a document that may be answered or cited, by title or number. */
export function DocumentPicker({ control, known }: { control: FieldControl; known?: Known | null | undefined }) {
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, isFetching } = useCall(
    documentAdoption.adoptable,
    { query: { search_value: search, reply: true, per_page: 20 } },
    { placeholderData: keepPreviousData },
  );
  const found = new Map<number, Known>((data?.value ?? []).map((one) => [one.id, one]));
  if (known && control.value === known.id) found.set(known.id, known);
  return (
    <Select
      id={control.id}
      className="kit-wide"
      disabled={control.disabled ?? false}
      placeholder="输入标题或字号"
      allowClear
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      loading={isFetching}
      notFoundContent={isFetching ? '正在查找' : '没有找到，可换标题或字号再试'}
      options={[...found.values()].map((one) => ({ value: one.id, label: labelOf(one) }))}
      value={(control.value as number | null | undefined) || undefined}
      onChange={(next?: number) => control.onChange?.(next ?? null)}
    />
  );
}
