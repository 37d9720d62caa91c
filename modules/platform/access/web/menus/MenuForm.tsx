import { useContext } from 'react';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { PageNamesContext } from '#kernel/web/registry.ts';
import { access, type MenuRow } from '../../contract.ts';
import { IconPicker } from './IconPicker.tsx';
import { MenuMeta } from './MenuMeta.tsx';
import { MenuPicker } from './MenuPicker.tsx';

export interface MenuFormProps {
  menus: readonly MenuRow[];
  /** The menu to change, or the parent of a new one. */
  menu: MenuRow | { parent: number | null };
  onClose: () => void;
}

/** Adds or changes one menu. */
export function MenuForm({ menus, menu, onClose }: MenuFormProps) {
  const pages = useContext(PageNamesContext);
  const row = 'id' in menu ? menu : null;
  const fields: FormField[] = [
    {
      name: 'parent',
      render: (control: object) => (
        <MenuPicker
          {...control}
          label="上级菜单"
          placeholder="没有上级，位于第一级"
          menus={menus.filter((one) => one.id !== row?.id)}
        />
      ),
    },
    { name: 'name' },
    { name: 'web_path', help: '第一级以 / 开头，下级写自己的一段；外部链接写完整网址' },
    {
      name: 'component',
      kind: 'select',
      help: '目录与外部链接留空；只有超级管理员可以修改',
      options: [...new Set([...pages, ...(row?.component ? [row.component] : [])])].map((value) => ({
        value,
        label: value,
      })),
    },
    { name: 'icon', render: IconPicker },
    { name: 'order_id', help: '数值越小越靠前' },
    { name: 'visible', kind: 'switch' },
    { name: 'affix', kind: 'switch', help: '打开后标签不能关闭' },
    { name: 'meta', render: (control) => <MenuMeta {...control} /> },
  ];
  return (
    <EditDrawer
      noun="菜单"
      name="menu"
      open={row ?? 'new'}
      onClose={onClose}
      titleOf={({ name }) => name}
      add={access.addMenu}
      change={access.changeMenu}
      initial={{ parent: menu.parent, visible: true, affix: false, order_id: nextOrder(menus, menu.parent) }}
      invalidates={['accounts']}
      fields={fields}
    />
  );
}

function nextOrder(menus: readonly MenuRow[], parent: number | null): number {
  return Math.max(0, ...menus.filter((menu) => menu.parent === parent).map((menu) => menu.order_id)) + 10;
}
