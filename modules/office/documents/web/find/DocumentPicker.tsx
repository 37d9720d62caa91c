import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { documentAdoption } from '../../contract/adopt.ts';

interface Known {
  id: number;
  title: string;
  number: string;
}
const labelOf = ({ title, number }: Known) => (number ? `${title}（${number}）` : title);

/** Picks a document that can be answered or cited, by title or number. */
export function DocumentPicker({ control, known }: { control: FieldControl; known?: Known | null | undefined }) {
  const searching = useSearching();
  const { data, isFetching } = useCall(
    documentAdoption.adoptable,
    { query: { search_value: searching.search, reply: true, per_page: 20 } },
    { placeholderData: keepPreviousData },
  );
  const found = new Map<number, Known>((data?.value ?? []).map((one) => [one.id, one]));
  if (known && control.value === known.id) found.set(known.id, known);
  return (
    <SearchSelect
      id={control.id}
      disabled={control.disabled}
      placeholder="输入标题或字号"
      hint="可换标题或字号再试"
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      searching={searching}
      loading={isFetching}
      options={[...found.values()].map((one) => ({ value: one.id, label: labelOf(one) }))}
      value={(control.value as number | null | undefined) || undefined}
      onChange={(next?: number) => control.onChange?.(next ?? null)}
    />
  );
}
