import { TreePicker, type TreeControl } from '#kernel/web/kit/form/TreePicker.tsx';
import { toTree } from '#kernel/web/tree.ts';

export type MenuPickerProps = TreeControl & {
  menus: readonly { id: number; parent: number | null; name: string }[];
  label: string;
};

/** Chooses one menu of the tree; null for none. */
export function MenuPicker({ menus, ...control }: MenuPickerProps) {
  return <TreePicker {...control} nodes={toTree(menus, { parentId: 'parent' })} />;
}
