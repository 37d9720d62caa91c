import { TreeSelect } from 'antd';
import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';

const simpleDepts = call({
  method: 'GET',
  path: '/api/accounts/simple_depts/',
  access: signedIn,
  summary: '部门选项',
  reply: z.array(z.object({ id: z.number(), name: z.string(), parentId: z.number().nullable() })),
});

/** Chooses the departments a role reaches. */
export function ScopeDepts({ id, value, onChange, disabled }: FieldControl) {
  const { data = [], isPending } = useCall(simpleDepts, {});
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
