import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { links } from '#modules/platform/links/contract.ts';
import type { FieldItem } from '../../contract/shapes.ts';

const words = ({ title, sn, state }: { title: string; sn: string; state: string }) =>
  [title, sn, state].filter(Boolean).join(' · ');

/** Chooses records of one module among those the person sees; its value is their ids. */
export function RecordsField({ item, control }: { item: FieldItem; control: FieldControl }) {
  const searching = useSearching();
  const module = item.module ?? '';
  const { data = [], isFetching } = useCall(
    links.candidates,
    { query: { module, search_value: searching.search } },
    { enabled: module !== '', placeholderData: keepPreviousData },
  );
  const value = (control.value as number[] | null | undefined) ?? [];
  const [picked, setPicked] = useState<readonly { value: number; label: string }[]>([]);
  const found = data.filter((one) => one.module === module).map((one) => ({ value: one.id, label: words(one) }));
  const had = (item.field_records ?? []).map((one) => ({ value: one.id, label: words(one) }));
  const known = new Map([...had, ...picked, ...found].map((one) => [one.value, one]));
  const chosen = value.map((id) => known.get(id) ?? { value: id, label: `事项 ${id}（您看不到）` });
  return (
    <SearchSelect
      id={control.id}
      mode="multiple"
      maxCount={item.max ?? 20}
      disabled={control.disabled}
      placeholder={item.placeholder || '输入标题或编号查找'}
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      searching={searching}
      loading={isFetching}
      hint="可换个词再试"
      options={[...new Map([...chosen, ...found].map((one) => [one.value, one])).values()]}
      value={value}
      onChange={(next: number[]) => {
        setPicked(next.flatMap((id) => known.get(id) ?? []));
        control.onChange?.(next.length > 0 ? next : null);
      }}
    />
  );
}
