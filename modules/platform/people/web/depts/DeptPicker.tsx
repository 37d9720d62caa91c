import { useCall } from '#kernel/web/calls.ts';
import { TreePicker, type TreeControl } from '#kernel/web/kit/form/TreePicker.tsx';
import { lookups } from '../../contract/lookups.ts';
import { deptNodes } from './dept-nodes.ts';

export type DeptPickerProps = TreeControl & {
  /** Only departments of my own data scope. */
  managed?: boolean;
};

/** Chooses departments from their tree; searches by name. */
export function DeptPicker({ managed, placeholder = '请选择部门', ...control }: DeptPickerProps) {
  const { data = [], isPending } = useCall(managed ? lookups.managedDepts : lookups.simpleDepts, {});
  return (
    <TreePicker
      {...control}
      placeholder={placeholder}
      label={control.id ? undefined : placeholder}
      loading={isPending}
      nodes={deptNodes(data)}
    />
  );
}
