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
