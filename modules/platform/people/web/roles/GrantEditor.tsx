import { Alert, App, Button, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { useLeaveGuard } from '#kernel/web/kit/page.tsx';
import { access, type Role } from '#modules/platform/access/contract.ts';
import { grantTree, type Grants } from './grants.ts';
import { GrantTable } from './GrantTable.tsx';

/** A role's menus and permissions, out of those the viewer holds. */
export function GrantEditor({ roleId }: { roleId: number }) {
  const { data: role, error, refetch } = useCall(access.role, { params: { id: roleId } });
  if (error && !role) return <FailedState error={error} retry={() => void refetch()} />;
  if (!role) return <Skeleton active paragraph={{ rows: 12 }} />;
  return <Editor key={role.version} role={role} />;
}

function Editor({ role }: { role: Role }) {
  const { message } = App.useApp();
  const { data: mine } = useCall(access.webRouter, {});
  const { data: offered } = useCall(access.menuButtons, { query: {} });
  const [grants, setGrants] = useState<Grants>({ menus: new Set(role.menus), buttons: new Set(role.buttons) });
  const [dirty, setDirty] = useState(false);
  useLeaveGuard(`grants:${role.id}`, dirty);
  const saving = useSend(access.changeRole, {
    onSuccess: () => {
      setDirty(false);
      void message.success('权限已保存，成员下次操作时生效');
    },
  });
  const tree = useMemo(() => mine && offered && grantTree(mine, offered), [mine, offered]);
  if (!tree) return <Skeleton active paragraph={{ rows: 12 }} />;
  const fixed = !role.actions.includes('update');
  const save = () =>
    saving.mutate({
      params: { id: role.id },
      body: { menus: [...grants.menus], buttons: [...grants.buttons], version: role.version },
    });
  return (
    <div className="kit-stack">
      {fixed && <Alert type="info" title="您只能查看：系统角色、自己拥有的角色和权限超出您的角色不能由您修改" />}
      <GrantTable
        tree={tree}
        grants={grants}
        disabled={fixed || saving.isPending}
        onChange={(next) => {
          setGrants(next);
          setDirty(true);
        }}
      />
      {!fixed && (
        <div className="kit-actions">
          <Button type="primary" disabled={!dirty} loading={saving.isPending} onClick={save}>
            保存权限
          </Button>
          <span className="kit-muted">
            已选 {grants.menus.size} 个菜单、{grants.buttons.size} 项权限
          </span>
        </div>
      )}
    </div>
  );
}
