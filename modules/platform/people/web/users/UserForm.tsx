import { useCall } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { phoneVisibility, roleText, users, type UserRow } from '../../contract/users.ts';
import { DeptPicker } from '../depts/DeptPicker.tsx';
import { PersonPicker } from '../picking/PersonPicker.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
  /** The user to edit; null for a new one. */
  row: UserRow | null;
  /** Department of a new one. */
  dept: number | null;
  onMade: (made: { who: string; password: string }) => void;
}
const invalidates = ['accounts', 'oauth'];

/** Adds or edits a user. A masked number is sent only if it is typed anew. */
export function UserForm({ open, onClose, row, dept, onMade }: Props) {
  const { data: grantable = [] } = useCall(users.grantable, {});
  // A temporary role is named with its last day.
  const held = (row?.roles ?? []).map((role) => ({ ...role, name: roleText(role) }));
  const roles = [...new Map([...grantable, ...held].map((role) => [role.id, role])).values()];
  const others = row === null || row.actions.includes('roles');
  const fields: FormField[] = [
    ...(row ? [] : [{ name: 'username', group: '账号', help: '用于登录，创建后不可修改' }]),
    { name: 'alias', group: '账号' },
    ...(others
      ? [
          {
            name: 'phone',
            group: '账号',
            ...(row?.phone ? { help: `当前 ${row.phone}；不修改请留空` } : {}),
          },
          {
            name: 'roles',
            group: '账号',
            kind: 'select' as const,
            multiple: true,
            options: roles.map((role) => ({ value: role.id, label: role.name })),
            help: row ? '修改后该用户须重新登录' : '只列出您可以授予的角色',
          },
          { name: 'is_active', group: '账号' },
          {
            name: 'dept',
            group: '单位',
            render: (control: object) => <DeptPicker managed {...control} />,
          },
          {
            name: 'depts',
            group: '单位',
            render: (control: object) => <DeptPicker managed multiple {...control} />,
          },
        ]
      : []),
    { name: 'post', group: '单位' },
    { name: 'company', group: '单位' },
    { name: 'employ_no', group: '单位' },
    { name: 'is_yg', group: '单位' },
    ...(others
      ? [
          {
            name: 'leader_of',
            group: '单位',
            help: '秘书填写',
            render: (control: object) => <PersonPicker multiple {...control} />,
          },
        ]
      : []),
    { name: 'gender', group: '联系' },
    { name: 'email', group: '联系' },
    { name: 'office_phone', group: '联系' },
    { name: 'office_room', group: '联系' },
    {
      name: 'phone_visible',
      group: '联系',
      kind: 'select',
      options: [...phoneVisibility],
      help: row ? '选人控件和通讯录同样遵守' : '不选时所有人可见，校领导和分管领导不公开；选人控件和通讯录同样遵守',
    },
    { name: 'sort', group: '联系', help: '数值越小越靠前' },
  ];
  const valuesOf = (user: UserRow) =>
    Object.fromEntries(
      fields.flatMap(({ name }) => {
        if (name === 'phone') return [];
        if (name === 'roles') return [[name, user.roles.map((role) => role.id)]];
        return [[name, user[name as keyof UserRow] ?? undefined]];
      }),
    );
  return (
    <EditDrawer
      noun="用户"
      name="user"
      open={open ? (row ?? 'new') : null}
      onClose={onClose}
      titleOf={({ alias }) => alias}
      add={users.create}
      change={users.update}
      initial={{ dept: dept ?? undefined, is_active: true, is_yg: true, sort: 0 }}
      valuesOf={valuesOf}
      invalidates={invalidates}
      onAdded={({ username, password }) => onMade({ who: username, password })}
      fields={fields}
    />
  );
}
