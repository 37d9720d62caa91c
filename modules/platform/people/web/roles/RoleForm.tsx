import { useCall } from '#kernel/web/calls.ts';
import { optionsOf } from '#kernel/contract/titles.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { access } from '#modules/platform/access/contract.ts';
import { dataScope } from '#modules/platform/access/contract/roles.ts';
import { ScopeDepts } from './ScopeDepts.tsx';

const fields: FormField[] = [
  { name: 'name' },
  { name: 'description', kind: 'textarea' },
  {
    name: 'data_scope',
    kind: 'select',
    help: '角色的权限能触及哪些部门的记录；自己创建的记录总能看到',
    options: optionsOf(dataScope.names),
  },
  {
    name: 'scope_depts',
    render: ScopeDepts,
    when: (values) => values['data_scope'] === dataScope.depts,
  },
  { name: 'order_id', help: '数值越小越靠前' },
];
const code: FormField = { name: 'code', help: '流程与接口以它指称角色，之后不能修改' };

export interface RoleFormProps {
  /** The role to change; missing for a new one. */
  roleId?: number;
  onClose: () => void;
  onDone: (roleId: number | undefined) => void;
}

/** Name and scope of a role; its permissions are chosen elsewhere. */
export function RoleForm({ roleId, onClose, onDone }: RoleFormProps) {
  const { data: role } = useCall(access.role, { params: { id: roleId ?? 0 } }, { enabled: roleId !== undefined });
  if (roleId !== undefined && !role) return null;
  return (
    <EditDrawer
      noun="角色"
      name="role"
      open={role ?? 'new'}
      onClose={onClose}
      titleOf={({ name }) => name}
      add={access.addRole}
      change={access.changeRole}
      initial={{ data_scope: dataScope.own }}
      onAdded={({ id }) => onDone(id)}
      onChanged={({ id }) => onDone(id)}
      fields={(row) => (row ? fields : [fields[0]!, code, ...fields.slice(1)])}
    />
  );
}
