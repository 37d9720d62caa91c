import { Input, Select } from 'antd';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import type { Scalar } from '../../engine/condition.ts';
import type { Field } from '../../engine/definition.ts';
import { fieldType, isWholeType } from '../../engine/codes.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { choiceTree, flatChoices } from '../../engine/fields/choice-tree.ts';
import { LazyRegionPick } from '../fields/path/LazyRegionInput.tsx';
import type { Names } from '../names.ts';
import { GroupPicker, PostPicker, RolePicker } from '../RolePicker.tsx';
import { arity, type Leaf } from './operators.ts';

interface Props {
  leaf: Leaf;
  field: Field | undefined;
  names: Names;
  onChange: (leaf: Leaf) => void;
}

/** The value of a comparison: a control that fits the field and the operator. */
export function ValueInput({ leaf, field, names, onChange }: Props) {
  if (leaf.op === 'dept_in')
    return <DeptPicker multiple value={leaf.value} onChange={(value) => onChange({ ...leaf, value })} />;
  if (leaf.op === 'superior_of' || leaf.op === 'role_of') {
    const roles = (
      <RolePicker
        className="kit-wide"
        aria-label="角色"
        names={names}
        value={[...leaf.value]}
        onChange={(value) => onChange({ ...leaf, value })}
      />
    );
    if (leaf.op === 'role_of') return roles;
    return (
      <>
        <NumberInput
          aria-label="第几级上级"
          min={1}
          max={10}
          precision={0}
          prefix="第"
          suffix="级"
          value={leaf.level}
          onChange={(level) => onChange({ ...leaf, level: level ?? 1 })}
        />
        {roles}
      </>
    );
  }
  if (leaf.op === 'post_of')
    return <PostPicker value={leaf.value} onChange={(value) => onChange({ ...leaf, value })} />;
  if (leaf.op === 'group_of')
    return <GroupPicker names={names} value={leaf.value} onChange={(value) => onChange({ ...leaf, value })} />;
  const set = (value: Scalar | readonly Scalar[]) => onChange({ ...leaf, value } as Leaf);
  if (arity(leaf.op) === 'many') return <Several leaf={leaf} field={field} set={set} />;
  if (arity(leaf.op) === 'one') return <One leaf={leaf} field={field} set={set} />;
  return null;
}

interface Inner {
  leaf: Leaf;
  field: Field | undefined;
  set: (value: Scalar | readonly Scalar[]) => void;
}

function Several({ leaf, field, set }: Inner) {
  const several: readonly Scalar[] = 'value' in leaf && Array.isArray(leaf.value) ? leaf.value : [];
  const value = several as string[];
  if (field?.type === fieldType.user) return <PersonPicker multiple value={value} onChange={set} />;
  if (field?.type === fieldType.dept) return <DeptPicker multiple value={several as number[]} onChange={set} />;
  return (
    <Select
      className="kit-wide"
      mode="multiple"
      aria-label="比较的值"
      placeholder="请选择"
      options={[...(field?.choices ?? [])]}
      value={value}
      onChange={set}
    />
  );
}

function One({ leaf, field, set }: Inner) {
  const value = 'value' in leaf ? leaf.value : undefined;
  switch (field?.type) {
    case fieldType.int:
    case fieldType.rating:
    case fieldType.float:
    case fieldType.money:
      return (
        <NumberInput
          className="kit-wide"
          aria-label="比较的值"
          value={typeof value === 'number' ? value : null}
          precision={isWholeType(field.type) ? 0 : field.decimals}
          onChange={(next) => set(next ?? 0)}
        />
      );
    case fieldType.bool:
      return (
        <Select
          className="kit-wide"
          aria-label="比较的值"
          options={[
            { value: 1, label: field.boolean_display.yes },
            { value: 0, label: field.boolean_display.no },
          ]}
          value={value ? 1 : 0}
          onChange={(next) => set(next === 1)}
        />
      );
    case fieldType.user:
    case fieldType.users:
      return <PersonPicker value={String(value ?? '')} onChange={(next) => set(next ?? '')} />;
    case fieldType.dept:
    case fieldType.depts:
      return <DeptPicker value={typeof value === 'number' ? value : undefined} onChange={(next) => set(next ?? '')} />;
    case fieldType.region:
      return <LazyRegionPick label="省市区" value={String(value ?? '')} onChange={(code) => set(code ?? '')} />;
    default:
      break;
  }
  if (field && field.choices.length > 0)
    return (
      <Select
        className="kit-wide"
        aria-label="比较的值"
        options={field.type === fieldType.cascade ? flatChoices(choiceTree(field.choices)) : [...field.choices]}
        value={String(value ?? '')}
        onChange={set}
      />
    );
  if (field?.type === fieldType.date || field?.type === fieldType.datetime)
    return (
      <DateInput
        aria-label="比较的值"
        kind={field.type === fieldType.date ? 'date' : 'datetime-local'}
        only
        allowClear
        value={String(value ?? '').replace(' ', 'T')}
        onChange={(next) => set(next.replace('T', ' '))}
      />
    );
  return (
    <Input
      aria-label="比较的值"
      maxLength={200}
      value={String(value ?? '')}
      onChange={(event) => set(event.target.value)}
    />
  );
}
