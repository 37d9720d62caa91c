import { Checkbox, Form, Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { workflows } from '../../contract.ts';
import { partCalls } from '../../contract/parts.ts';
import { fieldType, isFileType, isPeopleType } from '../../engine/codes.ts';
import type { Children, Definition, State } from '../../engine/definition.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';

interface Props {
  state: State;
  definition: Definition;
  onChange: (part: Partial<State>) => void;
}

/** Settings for the tickets a state begins: workflow, items and initial values. */
export function ChildrenForm({ state, definition, onChange }: Props) {
  const { children } = state;
  const flows = useCall(workflows.list, { query: { per_page: 100, module: '' } }, { staleTime: 300_000 });
  const below = useCall(partCalls.fields, { params: { id: children?.workflow ?? 0 } }, { enabled: Boolean(children) });
  const each = definition.fields.filter(({ type }) => type === fieldType.table || isPeopleType(type));
  const table = definition.fields.find(({ key, type }) => key === children?.each && type === fieldType.table);
  const plain = ({ type }: { type: number }) => type !== fieldType.table && !isFileType(type);
  const change = (part: Partial<Children>) => children && onChange({ children: { ...children, ...part } });
  const options = [
    ...(table
      ? table.columns.filter(plain).map(({ key, name }) => ({ value: `row.${key}`, label: `本行的“${name}”` }))
      : [{ value: 'person', label: '这一个人' }]),
    ...definition.fields.filter(plain).map(({ key, name }) => ({ value: `form.${key}`, label: `表单的“${name}”` })),
  ];
  const fields = below.data?.value.filter(plain) ?? [];
  const first = flows.data?.value.find((flow) => !flow.module);
  return (
    <>
      <Form.Item
        extra={
          each.length === 0
            ? '要自动发起，请先在表单里添加表格或人员字段：每一行或每个人发起一张'
            : '工单到这里时，由系统以发起人的名义发起；全部办结后继续'
        }
      >
        <Checkbox
          checked={children !== undefined}
          disabled={children === undefined && (each.length === 0 || !first)}
          onChange={(event) =>
            onChange({
              children: event.target.checked ? { workflow: first!.id, each: each[0]!.key, values: {} } : undefined,
            })
          }
        >
          自动发起下级工单
        </Checkbox>
      </Form.Item>
      {children && (
        <>
          <LabelledSelect
            id="state-children-flow"
            label="下级流程"
            options={(flows.data?.value ?? [])
              .filter((flow) => !flow.module)
              .map(({ id, name }) => ({ value: id, label: name }))}
            value={children.workflow}
            onChange={(workflow: number) => change({ workflow, values: {}, back: undefined })}
          />
          <LabelledSelect
            id="state-children-each"
            label="按什么发起"
            options={each.map(({ key, name, type }) => ({
              value: key,
              label: type === fieldType.table ? `“${name}”的每一行一张` : `“${name}”的每个人一张`,
            }))}
            value={children.each}
            onChange={(key: string) => change({ each: key, values: {}, back: undefined })}
          />
          <Form.Item label="带给下级工单的内容">
            <ul className="designer-plain">
              {fields.map(({ key, name }) => (
                <li key={key}>
                  <span>{name}</span>
                  <Select
                    className="kit-wide"
                    aria-label={`“${name}”取自`}
                    allowClear
                    placeholder="不带"
                    options={options}
                    value={children.values[key]}
                    onChange={(source?: string) => change({ values: withKey(children.values, key, source) })}
                  />
                </li>
              ))}
            </ul>
          </Form.Item>
          {table && (
            <Form.Item label="办结后写回本行" extra="下级工单办结时的内容，写回到它那一行">
              <ul className="designer-plain">
                {table.columns
                  .filter((column) => plain(column) && !column.formula)
                  .map(({ key, name }) => (
                    <li key={key}>
                      <span>{name}</span>
                      <Select
                        className="kit-wide"
                        aria-label={`“${name}”写回自`}
                        allowClear
                        placeholder="不写回"
                        options={fields.map((field) => ({ value: field.key, label: field.name }))}
                        value={children.back?.[key]}
                        onChange={(from?: string) => change({ back: withKey(children.back ?? {}, key, from) })}
                      />
                    </li>
                  ))}
              </ul>
            </Form.Item>
          )}
          <Form.Item label="办结几张就继续" htmlFor="state-children-enough" extra="不填时等全部办结">
            <NumberInput
              id="state-children-enough"
              min={1}
              max={200}
              precision={0}
              placeholder="全部"
              disabled={typeof children.enough === 'string'}
              value={typeof children.enough === 'number' ? children.enough : null}
              onChange={(enough) => change({ enough: enough ?? undefined })}
            />
          </Form.Item>
          <LabelledSelect
            id="state-children-counted"
            label="或由表单中的整数决定"
            options={[
              { value: '', label: '不由表单决定' },
              ...definition.fields
                .filter(({ type }) => type === fieldType.int)
                .map(({ key, name }) => ({ value: key, label: name })),
            ]}
            value={typeof children.enough === 'string' ? children.enough : ''}
            onChange={(key: string) => change({ enough: key || undefined })}
          />
        </>
      )}
    </>
  );
}

function withKey(
  map: Readonly<Record<string, string>>,
  key: string,
  value: string | undefined,
): Record<string, string> {
  const { [key]: _before, ...rest } = map;
  return value === undefined ? rest : { ...rest, [key]: value };
}
