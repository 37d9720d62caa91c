import { Form, Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { designCalls } from '../../../contract/design.ts';
import { fieldType } from '../../../engine/codes.ts';
import { asksPeople, type Field, type State } from '../../../engine/definition.ts';
import { LabelledSelect } from '../../LabelledSelect.tsx';

interface Props {
  field: Field;
  states: readonly State[];
  onChange: (part: Partial<Field>) => void;
}

/** The source of a display field: the module of its records, the states of its opinions. */
export function ShownFrom({ field, states, onChange }: Props) {
  const { data } = useCall(designCalls.modules, {}, { staleTime: 300_000 });
  if (field.type === fieldType.records)
    return (
      <Form.Item layout="vertical" label="事项类型" htmlFor="field-module" required>
        <Select
          id="field-module"
          placeholder="请选择"
          options={(data?.linked ?? []).map(({ module, name }) => ({ value: module, label: name }))}
          value={field.module}
          onChange={(module: string) => onChange({ module })}
        />
      </Form.Item>
    );
  if (field.type !== fieldType.opinions) return null;
  return (
    <Form layout="vertical" component="div">
      <LabelledSelect
        id="field-states"
        label="显示哪些环节的意见"
        mode="multiple"
        allowClear
        placeholder="全部环节"
        options={states.filter(asksPeople).map(({ key, name }) => ({ value: key, label: name }))}
        value={[...(field.of_states ?? [])]}
        onChange={(of_states: string[]) => onChange({ of_states: of_states.length > 0 ? of_states : undefined })}
      />
    </Form>
  );
}
