import { TreeSelect } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { lookups } from '#modules/people/contract/lookups.ts';

/** Chooses the departments a role reaches. */
export function ScopeDepts({ id, value, onChange, disabled }: FieldControl) {
  const { data = [], isPending } = useCall(lookups.simpleDepts, {});
  return (
    <TreeSelect
      id={id}
      className="kit-wide"
      multiple
      allowClear
      disabled={disabled}
      loading={isPending}
      placeholder="请选择部门"
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDataSimpleMode={{ id: 'value', pId: 'parent' }}
      treeData={data.map((dept) => ({ value: dept.id, title: dept.name, parent: dept.parentId ?? 0 }))}
      value={(value as number[] | undefined) ?? []}
      onChange={(next: number[]) => onChange?.(next)}
    />
  );
}
