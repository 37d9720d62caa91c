import { Select, Switch } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { access } from '#modules/access/contract.ts';
import type { PersonCard } from '#modules/people/contract/cards.ts';
import { DeptPicker, PersonPicker } from '#modules/people/widgets.tsx';
import type { Scope } from '../../contract/rows.ts';

const nobody: Scope = { all: false, depts: [], roles: [], users: [] };

/** Whom a paper is meant for: everybody, or departments, roles and people together. */
export function ScopeInput({
  value,
  onChange,
  id,
  disabled,
  known,
}: FieldControl & { known?: readonly PersonCard[] | undefined }) {
  const { data: roles = [] } = useCall(access.simpleRoles, {});
  const scope = { ...nobody, ...(value as Scope | undefined) };
  const change = (part: Partial<Scope>) => onChange?.({ ...scope, ...part });
  return (
    <div className="kit-stack">
      <div className="kit-row">
        <Switch id={id} disabled={disabled} checked={scope.all} onChange={(all) => change({ all })} />
        <span>全体人员</span>
      </div>
      {!scope.all && (
        <>
          <DeptPicker
            multiple
            disabled={disabled}
            placeholder="部门，包括下级部门"
            value={scope.depts}
            onChange={(depts) => change({ depts })}
          />
          <Select
            className="kit-wide"
            aria-label="角色"
            placeholder="角色"
            mode="multiple"
            allowClear
            disabled={disabled}
            showSearch={{ optionFilterProp: 'label' }}
            options={roles.map((role) => ({ value: role.id, label: role.name }))}
            value={scope.roles}
            onChange={(next: number[]) => change({ roles: next })}
          />
          <PersonPicker
            by="id"
            multiple
            disabled={disabled}
            known={known ?? []}
            placeholder="人员，输入姓名或拼音"
            value={scope.users}
            onChange={(users) => change({ users })}
          />
        </>
      )}
    </div>
  );
}
