import { Form, Input, Select } from 'antd';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { fieldType, isNumberType, isWholeType } from '../../engine/codes.ts';
import type { Field } from '../../engine/definition.ts';

type Value = Field['default_value'];
interface Props {
  field: Field;
  onChange: (value: Value) => void;
}
const several: readonly number[] = [fieldType.checkbox, fieldType.multiSelect];

/** True if a field may have a default value; long texts have their template instead, and people, departments and files none. */
export function beginsWith(type: number): boolean {
  const never: readonly number[] = [
    fieldType.note,
    fieldType.serial,
    fieldType.records,
    fieldType.opinions,
    fieldType.textarea,
    fieldType.richtext,
    fieldType.dateRange,
    fieldType.region,
    fieldType.cascade,
    fieldType.user,
    fieldType.users,
    fieldType.dept,
    fieldType.depts,
    fieldType.file,
    fieldType.image,
    fieldType.table,
  ];
  return !never.includes(type);
}

/** True if the default value of a field of choices is among them. */
export function isAmongChoices({ choices, default_value }: Field): boolean {
  const values = new Set(choices.map((choice) => choice.value));
  return [default_value ?? []].flat().every((value) => values.has(String(value)));
}

/** A field's value before anybody fills it in. */
export function DefaultValue({ field, onChange }: Props) {
  return (
    <Form.Item layout="vertical" label="默认值" htmlFor="field-default" extra="发起时先填好，供修改">
      <Control field={field} onChange={onChange} />
    </Form.Item>
  );
}

function Control({ field, onChange }: Props) {
  const { type, default_value: value, choices, boolean_display: words } = field;
  if (isNumberType(type))
    return (
      <NumberInput
        id="field-default"
        className="kit-wide"
        precision={isWholeType(type) ? 0 : field.decimals}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
      />
    );
  if (type === fieldType.bool)
    return (
      <Select
        id="field-default"
        allowClear
        placeholder="不填"
        options={[
          { value: 1, label: words.yes },
          { value: 0, label: words.no },
        ]}
        value={typeof value === 'boolean' ? Number(value) : undefined}
        onChange={(next: number | undefined) => onChange(next === undefined ? null : next === 1)}
      />
    );
  if (choices.length > 0)
    return several.includes(type) ? (
      <Select
        id="field-default"
        mode="multiple"
        placeholder="不填"
        options={[...choices]}
        value={Array.isArray(value) ? [...value] : []}
        onChange={(next: string[]) => onChange(next.length > 0 ? next : null)}
      />
    ) : (
      <Select
        id="field-default"
        allowClear
        placeholder="不填"
        options={[...choices]}
        value={typeof value === 'string' ? value : undefined}
        onChange={(next: string | undefined) => onChange(next ?? null)}
      />
    );
  if (type === fieldType.date || type === fieldType.datetime)
    return (
      <DateInput
        id="field-default"
        kind={type === fieldType.date ? 'date' : 'datetime-local'}
        only
        allowClear
        value={String(value ?? '').replace(' ', 'T')}
        onChange={(next) => onChange(next.replace('T', ' ') || null)}
      />
    );
  return (
    <Input
      id="field-default"
      maxLength={1000}
      value={String(value ?? '')}
      onChange={({ target }) => onChange(target.value || null)}
    />
  );
}
