import { Select, type SelectProps } from 'antd';
import type { Names } from './names.ts';

interface Props<V> extends Pick<SelectProps<V>, 'id' | 'className' | 'aria-label'> {
  names: Names;
  value: V | undefined;
  onChange: (value: V) => void;
}

/** Picks one role, or several, by code. */
export function RolePicker<V extends string | string[]>({ names, value, ...rest }: Props<V>) {
  return (
    <Select<V>
      {...rest}
      {...(Array.isArray(value) ? { mode: 'multiple' } : {})}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择角色"
      options={names.roles.map(({ code, name }) => ({ value: code, label: name }))}
      value={value}
    />
  );
}

interface Several<T> {
  value: readonly T[];
  onChange: (value: T[]) => void;
}

/** Posts by name, as recorded with people. */
export function PostPicker({ value, onChange }: Several<string>) {
  return (
    <Select
      className="kit-wide"
      mode="tags"
      aria-label="职务"
      placeholder="输入职务，按回车添加"
      value={[...value]}
      onChange={onChange}
    />
  );
}

export function GroupPicker({ names, value, onChange }: Several<number> & { names: Names }) {
  return (
    <Select
      className="kit-wide"
      mode="multiple"
      aria-label="用户组"
      placeholder="请选择用户组"
      notFoundContent="还没有用户组，请先到“用户组”中添加"
      showSearch={{ optionFilterProp: 'label' }}
      options={names.groups.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...value]}
      onChange={onChange}
    />
  );
}
