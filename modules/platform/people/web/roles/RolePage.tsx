import { Button, Drawer, Tabs, Tag } from 'antd';
import { useState } from 'react';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { RoleMembers } from '../users/RoleMembers.tsx';
import { access, type RoleRow } from '#modules/platform/access/contract.ts';
import { SeeAs } from '../explain/SeeAs.tsx';
import { GrantEditor } from './GrantEditor.tsx';
import { RoleForm } from './RoleForm.tsx';

/** Roles: scope, permissions, members. */
export default function RolePage() {
  const narrow = useNarrow();
  const [form, setForm] = useState<{ roleId?: number } | null>(null);
  const [open, setOpen] = useState<{ id: number; name: string } | null>(null);
  return (
    <>
      <ListPage<RoleRow>
        card={['code', 'users', 'is_system']}
        name="system/role"
        title="角色管理"
        purpose="角色决定成员看到哪些菜单、能做什么、触及哪些部门的记录"
        call={access.roles}
        numbered
        columns={listColumns(rowOf(access.roles), {
          name: { main: true, sort: true },
          code: { sort: true },
          description: {},
          data_scope: {},
          users: {},
          is_system: { render: (role) => (role.is_system ? <Tag>系统</Tag> : '自定义') },
          gmt_modified: { sort: true, width: 134, hidden: true },
        })}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setForm({})}>
              新增角色
            </Button>
          </WithCode>
        }
        onOpen={setOpen}
        rowActions={(role) => (
          <div className="kit-row">
            {role.actions.includes('update') && (
              <WithCode code="Update">
                <Button size="small" onClick={() => setForm({ roleId: role.id })}>
                  编辑
                </Button>
              </WithCode>
            )}
            <CallButton
              call={access.removeRole}
              asked={{ params: { id: role.id } }}
              allowed={role.actions.includes('delete')}
              danger
              size="small"
              confirm={{ title: `删除角色“${role.name}”`, content: '删除后无法恢复' }}
            >
              删除
            </CallButton>
          </div>
        )}
        empty={{ why: '还没有角色' }}
      />
      {form && (
        <RoleForm
          {...form}
          onClose={() => setForm(null)}
          onDone={(id) => form.roleId === undefined && id !== undefined && setOpen({ id, name: '新角色' })}
        />
      )}
      <Drawer
        title={open && `角色“${open.name}”`}
        extra={open && <SeeAs asked={{ role: open.id }}>以此角色查看</SeeAs>}
        open={open !== null}
        onClose={() => setOpen(null)}
        size={narrow ? '100%' : 860}
        destroyOnHidden
      >
        {open && (
          <Tabs
            items={[
              { key: 'grants', label: '权限', children: <GrantEditor roleId={open.id} /> },
              { key: 'members', label: '成员', children: <RoleMembers roleId={open.id} /> },
            ]}
          />
        )}
      </Drawer>
    </>
  );
}
