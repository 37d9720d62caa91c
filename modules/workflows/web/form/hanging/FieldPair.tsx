import { isDated, isNumber } from '../../../engine/check/date-pairs.ts';
import type { Column, Field } from '../../../engine/definition.ts';
import { LabelledSelect } from '../../LabelledSelect.tsx';

type Part = Field | Column;
interface Props {
  field: Part;
  /** All of the form, or of the table. */
  fields: readonly Part[];
  /** Begins the ids of the controls. */
  id: string;
  onChange: (part: Pick<Part, 'not_before' | 'days_between'>) => void;
}

/** What a field or a column has to do with the dates beside it: which one it does not come before, or between which two it counts the days. */
export function FieldPair({ field, fields, id, onChange }: Props) {
  const { key: own, type, not_before, days_between } = field;
  const dates = fields
    .filter((one) => isDated(one.type) && one.key !== own)
    .map(({ key, name }) => ({ value: key, label: name }));
  if (isDated(type) && dates.length > 0)
    return (
      <LabelledSelect
        id={`${id}-not-before`}
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
      id={`${id}-days`}
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

const nameOf = (fields: readonly Part[], key: string) => fields.find((one) => one.key === key)?.name ?? key;
