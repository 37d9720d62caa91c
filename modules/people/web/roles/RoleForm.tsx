import { useCall } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { access } from '#modules/access/contract.ts';
import { dataScopes } from '#modules/access/contract/roles.ts';
import { ScopeDepts } from './ScopeDepts.tsx';

const fields: FormField[] = [
  { name: 'name', label: '名称' },
  { name: 'description', label: '说明', kind: 'textarea' },
  {
    name: 'data_scope',
    label: '数据范围',
    kind: 'select',
    help: '角色的权限能触及哪些部门的记录；自己创建的记录总能看到',
    options: Object.entries(dataScopes).map(([value, label]) => ({ value: Number(value), label })),
  },
  { name: 'scope_depts', label: '指定部门', render: ScopeDepts, when: (values) => values['data_scope'] === 2 },
  { name: 'order_id', label: '排序', help: '小的在前' },
];

export interface RoleFormProps {
  /** The role to change; absent for a new one. */
  roleId?: number;
  onClose: () => void;
  onDone: (roleId: number | undefined) => void;
}

/** Name and reach of a role; what it grants is chosen in its own place. */
export function RoleForm({ roleId, onClose, onDone }: RoleFormProps) {
  const { data: role } = useCall(access.role, { params: { id: roleId ?? 0 } }, { enabled: roleId !== undefined });
  if (roleId === undefined)
    return (
      <FormDrawer
        open
        onClose={onClose}
        onDone={({ id }) => onDone(id)}
        title="新增角色"
        name="role:new"
        call={access.addRole}
        initial={{ data_scope: 5 }}
        submit="新增角色"
        fields={[
          ...fields.slice(0, 1),
          { name: 'code', label: '编码', help: '流程与接口以它指称角色，之后不能修改' },
          ...fields.slice(1),
        ]}
      />
    );
  if (!role) return null;
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={() => onDone(roleId)}
      title={`编辑角色“${role.name}”`}
      name={`role:${role.id}`}
      call={access.changeRole}
      params={{ id: role.id }}
      initial={{ ...role }}
      also={{ version: role.version }}
      submit="保存角色"
      fields={fields}
    />
  );
}
