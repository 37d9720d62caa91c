import { Select } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { iconNames, MenuIcon } from '#kernel/web/kit/show/icons.tsx';

const options = iconNames.map((name) => ({
  value: name,
  label: (
    <>
      <MenuIcon name={name} /> {name.replace('Outlined', '')}
    </>
  ),
}));

/** Chooses an icon by its name, each shown beside it. */
export function IconPicker({ id, value, onChange, disabled }: FieldControl) {
  return (
    <Select
      id={id}
      className="kit-wide"
      allowClear
      disabled={disabled}
      placeholder="不显示图标"
      showSearch={{ optionFilterProp: 'value' }}
      options={options}
      value={(value as string) || undefined}
      onChange={(name?: string) => onChange?.(name ?? '')}
    />
  );
}
