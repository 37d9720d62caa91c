import { Form, Input } from 'antd';
import { useState } from 'react';
import type { Formula } from '../../../engine/formula/formula.ts';
import { functionNames, parsed, textOf } from '../../../engine/formula/text.ts';
import type { Column, Field } from '../../../engine/definition.ts';

interface Props {
  id: string;
  value: Formula | undefined;
  /** The fields it may be computed from. */
  fields: readonly (Field | Column)[];
  onChange: (formula: Formula | undefined) => void;
}
const help = `字段写成 [字段名]，可用 + - * / 和${Object.values(functionNames).join('、')}，如 合计([明细.金额]) * 2`;

/** A formula as text; text that cannot be parsed yet stays in the input and changes nothing. */
export function FormulaInput({ id, value, fields, onChange }: Props) {
  const [text, setText] = useState(value ? textOf(value, fields) : '');
  const read = text.trim() === '' ? null : parsed(text, fields);
  const fault = read && 'fault' in read ? read.fault : null;
  return (
    <Form.Item
      layout="vertical"
      label="计算公式"
      htmlFor={`${id}-formula`}
      extra={help}
      validateStatus={fault ? 'error' : ''}
      help={fault}
    >
      <Input.TextArea
        id={`${id}-formula`}
        placeholder="不填时由人填写"
        maxLength={500}
        autoSize={{ minRows: 1, maxRows: 4 }}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const next = event.target.value.trim() === '' ? null : parsed(event.target.value, fields);
          if (next === null) onChange(undefined);
          else if ('formula' in next) onChange(next.formula);
        }}
      />
    </Form.Item>
  );
}
