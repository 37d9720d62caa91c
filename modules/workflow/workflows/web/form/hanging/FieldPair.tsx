import { Checkbox } from 'antd';
import { awayKinds, type AwayKind } from '../../../engine/codes.ts';
import { isDated, isNumber, saysHalfDay, type DaysBetween } from '../../../engine/check/date-pairs.ts';
import type { Column, Field } from '../../../engine/definition.ts';
import { LabelledSelect } from '../../LabelledSelect.tsx';

type Part = Field | Column;
interface Props {
  field: Part;
  /** All fields of the form, or of the table. */
  fields: readonly Part[];
  /** Prefix of the controls' ids. */
  id: string;
  onChange: (part: Pick<Field, 'not_before' | 'days_between' | 'away'>) => void;
}

/**
 * A field's or column's relation to other dates: the one it must not precede, whether its author is away in between, or the two between which it
 * counts the days.
 */
export function FieldPair({ field, fields, id, onChange }: Props) {
  const { key: own, type, not_before, days_between } = field;
  const away = 'columns' in field ? field.away : undefined;
  const dates = fields
    .filter((one) => isDated(one.type) && one.key !== own)
    .map(({ key, name }) => ({ value: key, label: name }));
  if (isDated(type) && dates.length > 0)
    return (
      <>
        <LabelledSelect
          id={`${id}-not-before`}
          label="不早于"
          extra="早于所选日期的不能提交"
          allowClear
          placeholder="不限"
          options={dates}
          value={not_before}
          onChange={(key: string | undefined) =>
            onChange(key === undefined && away ? { not_before: key, away: undefined } : { not_before: key })
          }
        />
        {'columns' in field && not_before && (
          <LabelledSelect
            id={`${id}-away`}
            label="期间发起人不在岗"
            extra="通过后，值班、忙闲和本人日历在这段时间按所选显示"
            allowClear
            placeholder="不影响"
            options={Object.entries(awayKinds).map(([value, label]) => ({ value, label }))}
            value={away}
            onChange={(kind: AwayKind | undefined) => onChange({ away: kind })}
          />
        )}
      </>
    );
  if (!isNumber(type) || dates.length < 2) return null;
  const pairs = fields.flatMap((end) =>
    end.not_before && isDated(end.type)
      ? [{ value: `${end.not_before} ${end.key}`, label: `${nameOf(fields, end.not_before)}至${end.name}` }]
      : [],
  );
  const change = (part: Partial<DaysBetween>) =>
    days_between && onChange({ days_between: { ...days_between, ...part } });
  const halves = fields.filter(saysHalfDay).map(({ key, name }) => ({ value: key, label: name }));
  const half = (end: 'from_half' | 'to_half', label: string) => (
    <LabelledSelect
      id={`${id}-${end}`}
      label={label}
      extra="有 am（上午）、pm（下午）两个选项的单选"
      allowClear
      placeholder="按整天计算"
      options={halves}
      value={days_between?.[end]}
      onChange={(key: string | undefined) => change({ [end]: key })}
    />
  );
  return (
    <>
      <LabelledSelect
        id={`${id}-days`}
        label="按日期计算天数"
        extra="含首尾两天，由日期算出，填写人不能改；先为结束日期选好“不早于”"
        allowClear
        placeholder="不计算"
        options={pairs}
        value={days_between && `${days_between.from} ${days_between.to}`}
        onChange={(pair: string | undefined) => {
          const [from = '', to = ''] = pair?.split(' ') ?? [];
          onChange({ days_between: pair ? { ...days_between, from, to } : undefined });
        }}
      />
      {days_between && (
        <Checkbox
          checked={days_between.working === true}
          onChange={(event) => change({ working: event.target.checked || undefined })}
        >
          只计工作日
        </Checkbox>
      )}
      {days_between && halves.length > 0 && (
        <>
          {half('from_half', '开始的上午或下午')}
          {half('to_half', '结束的上午或下午')}
        </>
      )}
    </>
  );
}

const nameOf = (fields: readonly Part[], key: string) => fields.find((one) => one.key === key)?.name ?? key;
