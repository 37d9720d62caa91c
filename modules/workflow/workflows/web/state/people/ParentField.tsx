import { AutoComplete, Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { workflows } from '../../../contract.ts';
import { partCalls } from '../../../contract/parts.ts';
import { isPeopleType } from '../../../engine/codes.ts';

/**
 * The field of the parent ticket that names the people. The parent's workflow is not known, so the key is what counts; a workflow may be chosen to
 * read its fields from.
 */
export function ParentField({ value, onChange }: { value: string; onChange: (key: string) => void }) {
  const [above, setAbove] = useState(0);
  const flows = useCall(workflows.list, { query: { per_page: 100 } }, { staleTime: 300_000 });
  const fields = useCall(partCalls.fields, { params: { id: above } }, { enabled: above > 0 });
  const people = fields.data?.value.filter(({ type }) => isPeopleType(type));
  return (
    <div className="kit-stack">
      <Select
        className="kit-wide"
        aria-label="上级流程"
        placeholder="从哪个上级流程选（可不选）"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        options={flows.data?.value
          .filter((flow) => flow.actions.includes('design'))
          .map(({ id, name }) => ({ value: id, label: name }))}
        value={above || undefined}
        onChange={(id: number | undefined) => setAbove(id ?? 0)}
      />
      <AutoComplete
        className="kit-wide"
        aria-label="上级工单的人员字段"
        placeholder="上级表单中人员字段的标识"
        options={people?.map(({ key, name }) => ({ value: key, label: `${name}（${key}）` })) ?? []}
        notFoundContent={people && '这个流程的表单里没有人员字段'}
        value={value}
        onChange={(key: string) => onChange(key.trim())}
      />
    </div>
  );
}
