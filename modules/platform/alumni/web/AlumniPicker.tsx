import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { alumni, type Alumnus } from '../contract.ts';

const nameOf = ({ name, college, graduate_year, can_sms }: Alumnus) => {
  const more = [college, graduate_year && `${graduate_year} 届`, can_sms ? '' : '不可发送'].filter(Boolean).join('，');
  return more ? `${name}（${more}）` : name;
};

/** Chooses single alumni by name, pinyin, student number or employer; its value is their ids. */
export function AlumniPicker({ id, value, onChange, disabled }: FieldControl) {
  const searching = useSearching();
  const ids = (value as number[] | undefined) ?? [];
  const found = useCall(
    alumni.choose,
    { query: { search_value: searching.search, per_page: 20, order_by: 'name' } },
    { placeholderData: keepPreviousData },
  );
  const known = useCall(
    alumni.choose,
    { query: { ids: ids.join(','), per_page: 100 } },
    { enabled: ids.length > 0, placeholderData: keepPreviousData },
  );
  const rows = new Map([...(known.data?.value ?? []), ...(found.data?.value ?? [])].map((row) => [row.id, row]));
  const listed = [...rows.values()].filter((row) => ids.includes(row.id) || found.data?.value.includes(row));
  return (
    <SearchSelect
      id={id}
      disabled={disabled}
      mode="multiple"
      maxCount={100}
      placeholder="输入姓名、拼音或学号"
      hint="可换姓名或学号再试"
      searching={searching}
      loading={found.isFetching}
      options={listed.map((row) => ({ value: row.id, label: nameOf(row) }))}
      value={ids}
      onChange={(next: number[]) => onChange?.(next)}
    />
  );
}
