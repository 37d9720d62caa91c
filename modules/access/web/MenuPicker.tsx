import { TreeSelect } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';

export interface MenuPickerProps extends FieldControl {
  menus: readonly { id: number; parent: number | null; name: string }[];
  label: string;
  placeholder: string;
}

/** Chooses one menu of the tree; null for none. */
export function MenuPicker({ menus, label, placeholder, id, value, onChange, disabled }: MenuPickerProps) {
  return (
    <TreeSelect
      id={id}
      aria-label={label}
      style={{ width: '100%', maxWidth: 440 }}
      disabled={disabled}
      allowClear
      placeholder={placeholder}
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDataSimpleMode={{ id: 'value', pId: 'parent' }}
      treeData={menus.map((menu) => ({ value: menu.id, title: menu.name, parent: menu.parent ?? 0 }))}
      value={(value as number | null) ?? undefined}
      onChange={(next?: number) => onChange?.(next ?? null)}
    />
  );
}
