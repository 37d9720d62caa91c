import { Button, Select } from 'antd';
import type { Definition, Transition } from '../../engine/definition.ts';
import { ConditionBuilder } from '../condition/ConditionBuilder.tsx';
import { firstRow } from '../condition/tree.ts';
import { moved } from '#kernel/web/kit/list/columns/columns.ts';
import type { Names } from '../names.ts';

type Branch = Transition['conditions'][number];
interface Props {
  transition: Transition;
  definition: Definition;
  names: Names;
  onChange: (conditions: readonly Branch[]) => void;
}

/** The targets of a button by condition; the first that holds decides. */
export function BranchList({ transition, definition, names, onChange }: Props) {
  const { conditions } = transition;
  const targets = definition.states
    .filter((state) => state.id !== transition.source)
    .map((state) => ({ value: state.id, label: state.name }));
  const put = (index: number, part: Partial<Branch> | null) =>
    onChange(
      conditions.flatMap((branch, at) => (at !== index ? [branch] : part === null ? [] : [{ ...branch, ...part }])),
    );
  const move = (from: number, to: number) => {
    const order = moved(
      conditions.map((_branch, index) => String(index)),
      from,
      to,
    );
    onChange(order.flatMap((index) => conditions[Number(index)] ?? []));
  };
  return (
    <div className="kit-stack">
      {conditions.map((branch, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- branches have no identity but their place
        <fieldset className="designer-branch" key={index}>
          <legend>条件 {index + 1}</legend>
          <ConditionBuilder
            definition={definition}
            names={names}
            value={branch.expression}
            onChange={(expression) => put(index, expression && { expression })}
          />
          <div className="kit-row">
            <span>满足时到</span>
            <Select
              aria-label={`条件 ${index + 1} 满足时到`}
              className="designer-half"
              options={targets}
              value={branch.target_state_id}
              onChange={(target_state_id) => put(index, { target_state_id })}
            />
            <span className="kit-grow" />
            {index > 0 && (
              <Button size="small" type="text" onClick={() => move(index, index - 1)}>
                上移
              </Button>
            )}
            <Button size="small" type="text" danger onClick={() => put(index, null)}>
              删除
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          size="small"
          disabled={targets.length === 0}
          onClick={() =>
            onChange([
              ...conditions,
              {
                expression: firstRow(definition.fields),
                target_state_id:
                  targets.find(({ value }) => value !== transition.destination)?.value ?? transition.destination,
              },
            ])
          }
        >
          添加条件分支
        </Button>
      </div>
    </div>
  );
}
