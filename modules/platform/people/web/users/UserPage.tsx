import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { lookups } from '../../contract/lookups.ts';
import { roleText, users, type UserRow } from '../../contract/users.ts';
import { BesideDepts } from '../depts/BesideDepts.tsx';
import { ExplainDrawer } from '../explain/ExplainDrawer.tsx';
import { BulkChange } from './BulkChange.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { HandOver } from './HandOver.tsx';
import { OneTimePassword } from './OneTimePassword.tsx';
import { PhoneText } from '../PhoneText.tsx';
import { UserActions } from './UserActions.tsx';
import { UserForm } from './UserForm.tsx';

/** Users of my scope beside the tree of departments. */
export default function UserPage() {
  const [search] = useSearchParams();
  const { data: roles = [] } = useCall(users.grantable, {});
  const { data: depts = [] } = useCall(lookups.managedDepts, {});
  const [form, setForm] = useState<{ row: UserRow | null } | null>(null);
  const [leaver, setLeaver] = useState<UserRow | null>(null);
  const [explained, setExplained] = useState<UserRow | null>(null);
  const [many, setMany] = useState<{ rows: readonly UserRow[]; clear: () => void } | null>(null);
  const [importing, setImporting] = useState(false);
  const [shown, setShown] = useState<{ who: string; password: string } | null>(null);
  return (
    <BesideDepts managed>
      <ListPage<UserRow>
        card={['is_active', 'dept_name', 'phone']}
        name="system/user"
        title="用户管理"
        call={users.list}
        numbered
        filters={[
          {
            key: 'dept',
            kind: 'select',
            options: depts.map((dept) => ({ value: String(dept.id), label: dept.name })),
          },
          {
            key: 'is_active',
            kind: 'select',
            often: true,
            options: [
              { value: 'true', label: '启用' },
              { value: 'false', label: '停用' },
            ],
          },
          {
            key: 'role',
            kind: 'select',
            often: true,
            options: roles.map((role) => ({ value: String(role.id), label: role.name })),
          },
          {
            key: 'temporary',
            kind: 'select',
            options: [
              { value: 'true', label: '有到期日期' },
              { value: 'false', label: '没有到期日期' },
            ],
          },
        ]}
        primary={
          <WithCode code="Create">
            <span className="kit-row">
              <Button onClick={() => setImporting(true)}>导入</Button>
              <Button type="primary" onClick={() => setForm({ row: null })}>
                新增用户
              </Button>
            </span>
          </WithCode>
        }
        columns={listColumns(rowOf(users.list), {
          alias: { main: true, sort: true, width: 112, note: (row) => row.username },
          username: { sort: true, width: 118, whole: true, hidden: true },
          dept_name: {
            width: 94,
            render: (row) =>
              row.dept_name || row.post ? (
                <span className="people-place" title={`${row.dept_name} ${row.post}`}>
                  {row.dept_name}
                  <small>{row.post}</small>
                </span>
              ) : (
                '—'
              ),
          },
          phone: { width: 156, render: (row) => <PhoneText person={row} /> },
          roles: { width: 138, whole: true, render: (row) => row.roles.map(roleText).join('、') || '—' },
          is_active: {
            width: 60,
            render: (row) => <Tag color={row.is_active ? 'success' : 'default'}>{row.is_active ? '启用' : '停用'}</Tag>,
          },
          last_login: { sort: true, width: 134 },
          office_room: { hidden: true },
          employ_no: { hidden: true },
        })}
        choosable={(row) => row.actions.includes('roles')}
        batch={(rows, clear) => (
          <WithCode code="Update">
            <Button onClick={() => setMany({ rows, clear })}>批量修改</Button>
          </WithCode>
        )}
        onOpen={(row) => row.actions.includes('update') && setForm({ row })}
        actionsWidth={118}
        rowActions={(row) => (
          <UserActions
            row={row}
            onEdit={() => setForm({ row })}
            onHandOver={() => setLeaver(row)}
            onExplain={() => setExplained(row)}
            onPassword={setShown}
          />
        )}
        empty={{ why: '该部门还没有用户' }}
      />
      {form && (
        <UserForm
          open
          onClose={() => setForm(null)}
          row={form.row}
          dept={Number(search.get('dept')) || null}
          onMade={setShown}
        />
      )}
      {leaver && <HandOver person={leaver} onClose={() => setLeaver(null)} />}
      {explained && <ExplainDrawer person={explained} onClose={() => setExplained(null)} />}
      {many && (
        <BulkChange
          rows={many.rows}
          onClose={() => setMany(null)}
          onDone={() => {
            many.clear();
            setMany(null);
          }}
        />
      )}
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
      <OneTimePassword shown={shown} onClose={() => setShown(null)} />
    </BesideDepts>
  );
}
