import { Checkbox, Form } from 'antd';
import type { Condition } from '../../../engine/condition.ts';
import type { Field } from '../../../engine/definition.ts';
import { isComputed } from '../../../engine/formula/formula.ts';
import { ConditionBuilder } from '../../condition/ConditionBuilder.tsx';
import { firstRow } from '../../condition/tree.ts';
import type { Names } from '../../names.ts';

interface Props {
  field: Field;
  fields: readonly Field[];
  names: Names;
  onChange: (part: Pick<Field, 'shown_when' | 'required_when'>) => void;
}

/** The conditions under which a field is shown, and required. */
export function FieldConditions({ field, fields, names, onChange }: Props) {
  const others = fields.filter((one) => one.key !== field.key);
  const one = (key: 'shown_when' | 'required_when', label: string) => {
    const value = field[key];
    return (
      <Form.Item layout="vertical">
        <Checkbox
          checked={value !== undefined}
          disabled={others.length === 0}
          onChange={(event) => onChange({ [key]: event.target.checked ? firstRow(others) : undefined })}
        >
          {label}
        </Checkbox>
        {value && (
          <ConditionBuilder
            definition={{ fields: others }}
            names={names}
            value={value}
            onChange={(next: Condition | null) => onChange({ [key]: next ?? undefined })}
          />
        )}
      </Form.Item>
    );
  };
  return (
    <>
      {one('shown_when', '满足条件时才显示')}
      {!isComputed(field) && one('required_when', '满足条件时必填（可填的环节里）')}
    </>
  );
}
