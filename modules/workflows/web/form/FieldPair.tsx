import { isDated, isNumber } from '../../engine/date-pairs.ts';
import type { Field } from '../../engine/definition.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';

interface Props {
  field: Field;
  fields: readonly Field[];
  onChange: (part: Partial<Field>) => void;
}

/** What a field has to do with the dates of the form: which one it does not come before, or between which two it counts the days. */
export function FieldPair({ field, fields, onChange }: Props) {
  const { id, type, not_before, days_between } = field;
  const dates = fields
    .filter((one) => isDated(one.type) && one.id !== id)
    .map(({ key, name }) => ({ value: key, label: name }));
  if (isDated(type) && dates.length > 0)
    return (
      <LabelledSelect
        id="field-not-before"
        label="不早于"
        extra="早于所选日期的不能提交"
        allowClear
        placeholder="不限"
        options={dates}
        value={not_before}
        onChange={(key: string | undefined) => onChange({ not_before: key })}
      />
    );
  if (!isNumber(type) || dates.length < 2) return null;
  const pairs = fields.flatMap((end) =>
    end.not_before && isDated(end.type)
      ? [{ value: `${end.not_before} ${end.key}`, label: `${nameOf(fields, end.not_before)}至${end.name}` }]
      : [],
  );
  return (
    <LabelledSelect
      id="field-days"
      label="按日期计算天数"
      extra="含首尾两天，填写人可以改少；先为结束日期选好“不早于”"
      allowClear
      placeholder="不计算"
      options={pairs}
      value={days_between && `${days_between.from} ${days_between.to}`}
      onChange={(pair: string | undefined) => {
        const [from = '', to = ''] = pair?.split(' ') ?? [];
        onChange({ days_between: pair ? { from, to } : undefined });
      }}
    />
  );
}

const nameOf = (fields: readonly Field[], key: string) => fields.find((one) => one.key === key)?.name ?? key;
