import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { documentSettings } from '../contract/settings.ts';

/** Chooses the agency code of a letter's number. */
export function AgencySelect({ control }: { control: FieldControl }) {
  const { data, isPending } = useCall(documentSettings.agencies, {});
  return (
    <Select
      id={control.id}
      className="kit-wide"
      disabled={control.disabled}
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      loading={isPending}
      allowClear
      notFoundContent="名单里没有；请党政办在“类别与字号”的“机关代字”里添加"
      showSearch={{ optionFilterProp: 'label' }}
      value={control.value as number | null | undefined}
      onChange={(chosen: number | undefined) => control.onChange?.(chosen ?? null)}
      labelRender={({ label }) => label ?? (isPending ? '' : '（已停用，请改选）')}
      options={(data?.value ?? []).map(({ id, agency_code, scope }) => ({
        value: id,
        label: scope ? `${agency_code}（${scope}）` : agency_code,
      }))}
    />
  );
}
