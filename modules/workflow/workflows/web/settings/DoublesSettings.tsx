import { Checkbox, Form, Select, Space } from 'antd';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import type { Definition, Doubles } from '../../engine/definition.ts';
import { isComparable } from '../../engine/starting/doubles.ts';

interface Props {
  doubles: Doubles | undefined;
  fields: Definition['fields'];
  onChange: (doubles: Doubles | undefined) => void;
}
const begin: Doubles = { fields: [], days: 90, own: false, rule: 'ask' };

/** The fields that must not stand together in two tickets, and the consequence if they do. */
export function DoublesSettings({ doubles, fields, onChange }: Props) {
  const change = (part: Partial<Doubles>) => doubles && onChange({ ...doubles, ...part });
  return (
    <Form.Item extra={doubles && '这些字段都填写了才比较；草稿、已撤回和已关闭的工单不算，确认办结的算'}>
      <Checkbox checked={doubles !== undefined} onChange={({ target }) => onChange(target.checked ? begin : undefined)}>
        提交时查重
      </Checkbox>
      {doubles && (
        <div className="kit-stack">
          <Select
            mode="multiple"
            aria-label="查重的字段"
            placeholder="请选择同时相同才算重复的字段"
            showSearch={{ optionFilterProp: 'label' }}
            options={fields.filter(isComparable).map(({ key, name }) => ({ value: key, label: name }))}
            value={[...doubles.fields]}
            onChange={(chosen) => change({ fields: chosen })}
          />
          <Space wrap>
            <NumberInput
              aria-label="查重的天数"
              min={1}
              max={3650}
              precision={0}
              suffix="天内"
              value={doubles.days}
              onChange={(days) => change({ days: days ?? 90 })}
            />
            <Select
              aria-label="与谁的工单比较"
              options={[
                { value: false, label: '与任何人的工单比较' },
                { value: true, label: '只与本人的工单比较' },
              ]}
              value={doubles.own}
              onChange={(own) => change({ own })}
            />
            <Select
              aria-label="重复时"
              options={[
                { value: 'ask', label: '先询问，确认后可以提交' },
                { value: 'refuse', label: '不允许提交' },
              ]}
              value={doubles.rule}
              onChange={(rule) => change({ rule })}
            />
          </Space>
        </div>
      )}
    </Form.Item>
  );
}
