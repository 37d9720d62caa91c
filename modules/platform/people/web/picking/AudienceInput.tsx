import { Select, Switch } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { access } from '#modules/platform/access/contract.ts';
import { nobody, type Audience } from '../../contract/audience.ts';
import type { PersonCard } from '../../contract/cards.ts';
import { DeptPicker } from '../depts/DeptPicker.tsx';
import { PersonPicker } from './PersonPicker.tsx';

/** An input for an audience: everybody, or departments, people and roles together. */
export function AudienceInput({
  value,
  onChange,
  id,
  disabled,
  known = [],
  everybody = true,
}: FieldControl & {
  /** Cards of the people already in it. */
  known?: readonly PersonCard[] | undefined;
  /** Offers 全体人员 too. */
  everybody?: boolean;
}) {
  const { data: roles = [] } = useCall(access.simpleRoles, {});
  const audience = { ...nobody, ...(value as Partial<Audience> | undefined) };
  const change = (part: Partial<Audience>) => onChange?.({ ...audience, ...part });
  return (
    <div className="kit-stack">
      {everybody && (
        <div className="kit-row">
          <Switch
            id={audience.all ? id : undefined}
            aria-label="全体人员"
            disabled={disabled}
            checked={audience.all}
            onChange={(all) => change({ all })}
          />
          <span>全体人员</span>
        </div>
      )}
      {!audience.all && (
        <>
          <DeptPicker
            id={id}
            multiple
            disabled={disabled}
            placeholder="部门，包括下级部门"
            value={audience.depts}
            onChange={(depts) => change({ depts })}
          />
          <PersonPicker
            by="id"
            multiple
            disabled={disabled}
            known={known}
            aria-label="人员"
            placeholder="人员，输入姓名或拼音"
            value={audience.users}
            onChange={(users) => change({ users })}
          />
          <Select
            className="kit-wide"
            aria-label="角色"
            placeholder="角色"
            mode="multiple"
            allowClear
            disabled={disabled ?? false}
            showSearch={{ optionFilterProp: 'label' }}
            options={roles.map((role) => ({ value: role.id, label: role.name }))}
            value={audience.roles}
            onChange={(next: number[]) => change({ roles: next })}
          />
        </>
      )}
    </div>
  );
}
