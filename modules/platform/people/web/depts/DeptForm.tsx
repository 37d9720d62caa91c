import { optionsOf } from '#kernel/contract/titles.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { deptType } from '../../contract/codes.ts';
import { depts, type DeptRow } from '../../contract/depts.ts';
import { DeptPicker } from './DeptPicker.tsx';
import { PersonPicker } from '../picking/PersonPicker.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
  /** The department to edit; null for a new one. */
  row: DeptRow | null;
  /** Parent of a new one. */
  parent?: number;
}

/** Adds or edits a department. */
export function DeptForm({ open, onClose, row, parent }: Props) {
  const known = row
    ? [row.leader_info, row.dept_ld_info, ...row.approver_info, ...row.secretary_info].filter((card) => card !== null)
    : [];
  const person = (name: string, help?: string) => ({
    name,
    ...(help ? { help } : {}),
    render: (control: object) => <PersonPicker {...control} known={known} />,
  });
  const people = (name: string, help?: string) => ({
    name,
    ...(help ? { help } : {}),
    render: (control: object) => <PersonPicker {...control} multiple known={known} />,
  });
  const fields: FormField[] = [
    { name: 'name' },
    {
      name: 'parent',
      help: '不选为顶级部门',
      render: (control: object) => <DeptPicker {...control} />,
    },
    { name: 'code' },
    { name: 'type', kind: 'select' as const, options: optionsOf(deptType.names) },
    person('leader'),
    people('approver', '代表部门审批；不选时由负责人审批'),
    person('dept_ld'),
    people('secretary'),
    { name: 'phone' },
    { name: 'order_id', help: '数值越小越靠前' },
    { name: 'status' },
  ];
  const names = fields.map(({ name }) => name as keyof DeptRow);
  return (
    <EditDrawer
      noun="部门"
      name={`dept:${parent ?? 0}`}
      open={open ? (row ?? 'new') : null}
      onClose={onClose}
      titleOf={({ name }) => name}
      add={depts.create}
      change={depts.update}
      initial={{ parent: parent || undefined, type: deptType.office, status: true }}
      valuesOf={(dept) => ({
        ...Object.fromEntries(names.map((name) => [name, dept[name]])),
        parent: dept.parent || undefined,
      })}
      invalidates={['accounts']}
      fields={fields}
    />
  );
}
