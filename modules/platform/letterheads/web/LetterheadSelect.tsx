import { Select } from 'antd';
import { onOff } from '#kernel/contract/titles.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { letterheads } from '../contract.ts';

/** Chooses one of the templates that are in use. */
export function LetterheadSelect({ control }: { control: FieldControl }) {
  const { data, isPending } = useCall(letterheads.list, { query: { per_page: 100 } });
  const offered = data?.value.filter((one) => one.status === onOff.on || one.id === control.value) ?? [];
  return (
    <Select
      id={control.id}
      disabled={control.disabled}
      loading={isPending}
      allowClear
      value={control.value as number | null | undefined}
      onChange={(chosen: number | undefined) => control.onChange?.(chosen ?? null)}
      options={offered.map((one) => ({ value: one.id, label: one.is_default ? `${one.name}（默认）` : one.name }))}
    />
  );
}
