import { DeleteOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import type { Definition } from '../../engine/definition.ts';
import { checkText, parsedCheck } from '../../engine/formula/text.ts';

type Check = NonNullable<Definition['settings']['checks']>[number];
interface Props {
  checks: readonly Check[];
  fields: Definition['fields'];
  onChange: (checks: readonly Check[] | undefined) => void;
}
const begin: Check = { left: { op: 'value', value: 1 }, op: 'eq', right: { op: 'value', value: 1 }, message: '' };

/** Checks of the form whenever it is sent on, with their error messages. */
export function CheckList({ checks, fields, onChange }: Props) {
  const put = (index: number, part: Partial<Check> | null) => {
    const next = checks.flatMap((one, at) => (at !== index ? [one] : part === null ? [] : [{ ...one, ...part }]));
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <Form.Item label="表单校验" extra="提交时核对，如 [预算] >= 合计([明细.金额])；有一边没有填写时不核对">
      <div className="kit-stack">
        {checks.map((check, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- checks have no identity but their place
          <CheckRow key={index} no={index + 1} check={check} fields={fields} onChange={(part) => put(index, part)} />
        ))}
        <div>
          <Button size="small" disabled={checks.length >= 20} onClick={() => onChange([...checks, begin])}>
            添加校验
          </Button>
        </div>
      </div>
    </Form.Item>
  );
}

interface RowProps {
  no: number;
  check: Check;
  fields: Definition['fields'];
  onChange: (part: Partial<Check> | null) => void;
}

function CheckRow({ no, check, fields, onChange }: RowProps) {
  const [text, setText] = useState(check === begin ? '' : checkText(check, fields));
  const read = text.trim() === '' ? null : parsedCheck(text, fields);
  return (
    <div className="kit-stack">
      <div className="kit-row">
        <Input
          aria-label={`校验 ${no} 的条件`}
          status={read && 'fault' in read ? 'error' : ''}
          maxLength={500}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            const next = parsedCheck(event.target.value, fields);
            if (next.check) onChange(next.check);
          }}
        />
        <Input
          aria-label={`校验 ${no} 不满足时的提示`}
          placeholder="不满足时的提示"
          maxLength={100}
          value={check.message}
          onChange={(event) => onChange({ message: event.target.value })}
        />
        <Button type="text" aria-label={`删除校验 ${no}`} icon={<DeleteOutlined />} onClick={() => onChange(null)} />
      </div>
      {read && 'fault' in read && <p role="alert">{read.fault}</p>}
    </div>
  );
}
