import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { depts, deptTypes, type DeptRow } from '../../contract/depts.ts';
import { DeptPicker } from './DeptPicker.tsx';
import { PersonPicker } from '../PersonPicker.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
  /** The department to edit; a new one without it. */
  row: DeptRow | null;
  /** Superior of a new one. */
  parent?: number;
}

/** Adds or edits a department. */
export function DeptForm({ open, onClose, row, parent }: Props) {
  const known = row
    ? [row.leader_info, row.dept_ld_info, ...row.approver_info, ...row.secretary_info].filter((card) => card !== null)
    : [];
  const person = (name: string, label: string, help?: string) => ({
    name,
    label,
    ...(help ? { help } : {}),
    render: (control: object) => <PersonPicker {...control} known={known} />,
  });
  const people = (name: string, label: string, help?: string) => ({
    name,
    label,
    ...(help ? { help } : {}),
    render: (control: object) => <PersonPicker {...control} multiple known={known} />,
  });
  const shared = {
    open,
    onClose,
    invalidates: ['accounts'],
    onDone: () => {},
    fields: [
      { name: 'name', label: '部门名称' },
      {
        name: 'parent',
        label: '上级部门',
        help: '不选为顶级部门',
        render: (control: object) => <DeptPicker {...control} />,
      },
      { name: 'code', label: '部门编码' },
      { name: 'type', label: '类型', kind: 'select' as const, options: [...deptTypes] },
      person('leader', '负责人'),
      people('approver', '审批人', '代表部门审批；不选时由负责人审批'),
      person('dept_ld', '分管领导'),
      people('secretary', '秘书'),
      { name: 'phone', label: '电话' },
      { name: 'order_id', label: '排序', help: '小的在前' },
      { name: 'status', label: '启用' },
    ],
  };
  if (!row)
    return (
      <FormDrawer
        {...shared}
        title="新增部门"
        name={`dept-new-${parent ?? 0}`}
        call={depts.create}
        initial={{ parent: parent || undefined, type: 1, status: true }}
        submit="新增部门"
      />
    );
  const { name, code, type, leader, approver, dept_ld, secretary, phone, order_id, status } = row;
  const values = { name, code, type, leader, approver, dept_ld, secretary, phone, order_id, status };
  return (
    <FormDrawer
      {...shared}
      key={`${row.id}-${row.version}`}
      title={`编辑部门 ${row.name}`}
      name={`dept-${row.id}`}
      call={depts.update}
      params={{ id: row.id }}
      initial={{ ...values, parent: row.parent || undefined }}
      also={{ version: row.version }}
      submit="保存部门"
    />
  );
}
