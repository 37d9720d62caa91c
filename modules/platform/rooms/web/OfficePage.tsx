import { Button, Tag } from 'antd';
import { useState } from 'react';
import { onOff } from '#kernel/contract/titles.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { offices, type OfficeRow } from '../contract/offices.ts';
import { steps, usualHours } from '../contract/shapes.ts';
import { hoursText, lengthText } from '../engine/rules.ts';
import { OpenHoursInput } from './OpenHoursInput.tsx';
import './rooms.css';

const fieldsFor = (known: readonly PersonCard[]): FormField[] => [
  { name: 'name', placeholder: '例如：校办会务' },
  { name: 'dept_id', render: (control) => <DeptPicker {...(control as object)} /> },
  {
    name: 'managers',
    needed: true,
    help: '审批本单位会议室的使用，处理变更和取消',
    render: (control) => <PersonPicker by="id" multiple known={known} {...(control as object)} />,
  },
  { name: 'phone' },
  { name: 'address' },
  { name: 'open_hours', render: (control) => <OpenHoursInput {...control} /> },
  { name: 'need_approve', kind: 'switch', help: '关闭后提交即可使用；各会议室可另行规定' },
  { name: 'min_ahead_min', help: '0 为不限' },
  { name: 'max_ahead_days' },
  {
    name: 'step_min',
    kind: 'select',
    options: steps.map((step) => ({ value: step, label: lengthText(step) })),
  },
  { name: 'max_per_user_week', help: '不填则不限' },
  { name: 'rules_text', kind: 'textarea' },
  { name: 'order_id', help: '数值越小越靠前' },
  {
    name: 'status',
    kind: 'select',
    options: [
      { value: 1, label: '启用' },
      { value: 0, label: '停用' },
    ],
  },
];

/** 会务单位: the keepers of rooms, and their rules. */
export default function OfficePage() {
  const [open, setOpen] = useState<OfficeRow | 'new' | null>(null);
  const drawer = { open: true, onClose: () => setOpen(null), onDone: () => undefined, submit: '保存会务单位' };
  return (
    <>
      <ListPage<OfficeRow>
        card={['status', 'dept_name', 'phone']}
        name="meet/office"
        title="会务单位"
        purpose="管理会议室的单位：开放时间、预约规则和会务人员"
        call={offices.list}
        columns={listColumns(rowOf(offices.list), {
          name: { main: true, sort: true, width: 160 },
          dept_name: { width: 140 },
          managers_info: { width: 160 },
          open_hours: { width: 170, render: (row) => hoursText(row.open_hours) },
          need_approve: { width: 80, render: (row) => (row.need_approve ? '须审批' : '不需要') },
          room_count: { width: 80 },
          phone: { width: 130 },
          status: {
            width: 72,
            render: (row) => (row.status === onOff.on ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>),
          },
        })}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpen('new')}>
              新增会务单位
            </Button>
          </WithCode>
        }
        onOpen={(row) => row.actions.includes('update') && setOpen(row)}
        rowActions={(row) => (
          <CallButton
            call={offices.remove}
            asked={{ params: { id: row.id } }}
            allowed={row.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除会务单位“${row.name}”`, content: '其下没有会议室时才能删除，删除后不能恢复' }}
          >
            删除
          </CallButton>
        )}
        empty={{ why: '还没有会务单位，点“新增会务单位”开始，再到“会议室”中登记房间' }}
      />
      {open === 'new' && (
        <FormDrawer
          {...drawer}
          title="新增会务单位"
          name="meet-office:new"
          call={offices.create}
          initial={{
            open_hours: usualHours,
            max_ahead_days: 30,
            step_min: 15,
            min_ahead_min: 0,
            status: onOff.on,
            order_id: 0,
          }}
          fields={fieldsFor([])}
        />
      )}
      {open !== null && open !== 'new' && (
        <FormDrawer
          {...drawer}
          title={`编辑“${open.name}”`}
          name={`meet-office:${open.id}`}
          call={offices.update}
          params={{ id: open.id }}
          initial={{ ...open }}
          also={{ version: open.version }}
          fields={fieldsFor(open.managers_info)}
        />
      )}
    </>
  );
}
