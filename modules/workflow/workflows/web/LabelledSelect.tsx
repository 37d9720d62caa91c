import { Form, Select } from 'antd';
import type { SelectProps } from 'antd';

interface Labelled {
  id: string;
  label: string;
  /** A note below it. */
  extra?: string | undefined;
}

/** A labelled select, for panels that apply each change at once. */
export function LabelledSelect<Value>({ label, extra, ...select }: SelectProps<Value> & Labelled) {
  return (
    <Form.Item label={label} htmlFor={select.id} extra={extra}>
      <Select<Value> {...select} />
    </Form.Item>
  );
}
