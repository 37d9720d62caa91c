import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { access } from '#modules/access/contract.ts';
import { DeptPicker, PersonPicker } from '#modules/people/widgets.tsx';
import type { Recipients } from '../contract/shapes.ts';

const nobody: Recipients = { depts: [], roles: [], users: [] };
type Kind = keyof Recipients;

/** Takes departments, roles and people together, or just some of these kinds. */
export function RecipientsInput({
  control,
  kinds = ['depts', 'users', 'roles'],
}: {
  control: FieldControl;
  kinds?: readonly Kind[];
}) {
  const { data: roles = [] } = useCall(access.simpleRoles, {}, { enabled: kinds.includes('roles') });
  const value = { ...nobody, ...(control.value as Recipients | undefined) };
  const change = (part: Partial<Recipients>) => control.onChange?.({ ...value, ...part });
  const { disabled } = control;
  return (
    <div className="kit-stack">
      {kinds.includes('depts') && (
        <DeptPicker
          id={control.id}
          multiple
          disabled={disabled}
          placeholder="部门，包括下级部门"
          value={value.depts}
          onChange={(depts) => change({ depts })}
        />
      )}
      {kinds.includes('users') && (
        <PersonPicker
          by="id"
          multiple
          disabled={disabled}
          aria-label="人员"
          placeholder="人员，输入姓名或拼音"
          value={value.users}
          onChange={(users) => change({ users })}
        />
      )}
      {kinds.includes('roles') && (
        <Select
          className="kit-wide"
          aria-label="角色"
          placeholder="角色"
          mode="multiple"
          allowClear
          disabled={disabled ?? false}
          showSearch={{ optionFilterProp: 'label' }}
          options={roles.map((role) => ({ value: role.id, label: role.name }))}
          value={value.roles}
          onChange={(next: number[]) => change({ roles: next })}
        />
      )}
    </div>
  );
}
