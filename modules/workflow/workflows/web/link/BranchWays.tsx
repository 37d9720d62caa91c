import { Checkbox, Form, Select } from 'antd';
import { nestOf } from '../../engine/check/branches/nest.ts';
import { asksPeople, type Definition, type Transition } from '../../engine/definition.ts';

interface Props {
  transition: Transition;
  definition: Definition;
  onChange: (part: Partial<Transition>) => void;
}

/** The effect of an exit on the other branches; nothing if its state lies in none. */
export function BranchWays({ transition, definition, onChange }: Props) {
  const nest = nestOf(definition, transition.source);
  const source = definition.states.find((state) => state.id === transition.source);
  const only_at = transition.only_at ?? [];
  if (nest.length === 0 && !transition.leaves_branches && only_at.length === 0) return null;
  const beside = definition.states.filter(
    (state) =>
      state !== source && state.kind !== 'join' && nestOf(definition, state.id).some((split) => nest.includes(split)),
  );
  return (
    <>
      <Form.Item extra="其他分支的待办随即取消，工单直接到分支之后的环节">
        <Checkbox
          checked={transition.leaves_branches ?? false}
          onChange={(event) => onChange({ leaves_branches: event.target.checked || undefined })}
        >
          结束所有分支
        </Checkbox>
      </Form.Item>
      {(only_at.length > 0 || (source && asksPeople(source))) && (
        <Form.Item label="只在另一分支办到这里时可用" htmlFor="link-only-at">
          <Select
            id="link-only-at"
            mode="multiple"
            allowClear
            placeholder="不限"
            options={beside.map((state) => ({ value: state.key, label: state.name }))}
            value={[...only_at]}
            onChange={(keys: string[]) => onChange({ only_at: keys.length > 0 ? keys : undefined })}
          />
        </Form.Item>
      )}
    </>
  );
}
