import { App, Button, Dropdown } from 'antd';
import { useNavigate } from 'react-router';
import { useSend } from '#kernel/web/calls.ts';
import { useCodesAt, usePermission } from '#kernel/web/kit/permission.tsx';
import { users, type UserRow } from '../../contract/users.ts';

interface Props {
  row: UserRow;
  onEdit: () => void;
  onHandOver: () => void;
  onExplain: () => void;
  onPassword: (shown: { who: string; password: string }) => void;
}
const invalidates = ['accounts', 'oauth'];

/** Actions on one user: edit directly, the others under 更多. */
export function UserActions({ row, onEdit, onHandOver, onExplain, onPassword }: Props) {
  const { modal, message } = App.useApp();
  const may = usePermission();
  const navigate = useNavigate();
  const codesAt = useCodesAt();
  const reads = (path: string) => codesAt(path).includes('Retrieve');
  const explains = reads('/system/role');
  const update = useSend(users.update, { invalidates, onSuccess: () => void message.success('用户已保存') });
  const remove = useSend(users.remove, { invalidates, onSuccess: () => void message.success('用户已删除') });
  const reset = useSend(users.resetPassword, {
    invalidates,
    onSuccess: ({ password }) => onPassword({ who: row.alias, password }),
  });
  const unbind = useSend(users.unbindWechat, {
    invalidates,
    onSuccess: () => void message.success(users.unbindWechat.message),
  });
  const release = useSend(users.releaseSso, {
    invalidates,
    onSuccess: () => void message.success(users.releaseSso.message),
  });
  const forget = useSend(users.forgetSecond, {
    invalidates,
    onSuccess: () => void message.success(users.forgetSecond.message),
  });
  const params = { id: row.id };
  const ask = (title: string, content: string, okText: string, go: () => Promise<unknown>, danger = true) =>
    modal.confirm({
      title,
      content,
      okText,
      okButtonProps: { danger },
      cancelText: '取消',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => go().catch(() => undefined),
    });
  const switchTo = (is_active: boolean) => () =>
    update.mutateAsync({ params, body: { is_active, version: row.version } });
  const items = [
    may('Update') &&
      row.actions.includes('reset_password') && {
        key: 'reset',
        label: '重置密码',
        onClick: () =>
          ask(`重置“${row.alias}”的密码`, '其所有登录会退出，新密码只显示一次', '重置密码', () =>
            reset.mutateAsync({ params }),
          ),
      },
    may('Update') &&
      row.actions.includes('reset_password') && {
        key: 'second',
        label: '关闭二次验证',
        onClick: () =>
          ask(
            `关闭“${row.alias}”的二次验证`,
            '用于手机和恢复码都已丢失的用户，请先核实是本人；其所有登录会退出',
            '关闭二次验证',
            () => forget.mutateAsync({ params }),
          ),
      },
    may('Update') &&
      row.actions.includes('unbind_wechat') && {
        key: 'wechat',
        label: '解除微信绑定',
        onClick: () =>
          ask(
            `解除“${row.alias}”的微信绑定`,
            '其所有登录会退出；再用微信登录时，需要用手机号重新绑定',
            '解除微信绑定',
            () => unbind.mutateAsync({ params }),
          ),
      },
    may('Update') &&
      row.actions.includes('release_sso') && {
        key: 'sso',
        label: '解除单点登录绑定',
        onClick: () =>
          ask(
            `解除“${row.alias}”的单点登录绑定`,
            '用于单点登录服务中换了身份的本人，请先核实；其所有登录会退出，下一个以其工号单点登录的人会重新绑定',
            '解除单点登录绑定',
            () => release.mutateAsync({ params }),
          ),
      },
    may('Update') &&
      row.actions.includes('roles') && {
        key: 'switch',
        label: row.is_active ? '停用' : '启用',
        onClick: () =>
          row.is_active
            ? ask(
                `停用“${row.alias}”`,
                '其所有登录会退出，且不能再被选为办理人。未办的待办按各流程的设置转交；要交给指定的人，请先“移交事项”',
                '停用',
                switchTo(false),
              )
            : void switchTo(true)().catch(() => undefined),
      },
    explains && { key: 'explain', label: '权限说明', onClick: onExplain },
    reads('/system/online') && {
      key: 'online',
      label: '查看在线',
      onClick: () => void navigate(`/system/online?search_value=${encodeURIComponent(row.username)}`),
    },
    reads('/system/sign_in') && {
      key: 'sign-ins',
      label: '登录日志',
      onClick: () => void navigate(`/system/sign_in?user=${encodeURIComponent(row.username)}`),
    },
    may('Update') && { key: 'hand-over', label: '移交事项', onClick: onHandOver },
    may('Delete') &&
      row.actions.includes('delete') && {
        key: 'delete',
        label: '删除',
        danger: true,
        onClick: () =>
          ask(`删除用户“${row.alias}”`, `用户名 ${row.username} 不能再次使用，其所有登录会退出`, '删除用户', () =>
            remove.mutateAsync({ params }),
          ),
      },
  ].filter((item) => item !== false);
  return (
    <span className="kit-row">
      {may('Update') && row.actions.includes('update') && (
        <Button size="small" onClick={onEdit}>
          编辑
        </Button>
      )}
      {items.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']}>
          <Button size="small" aria-label={`${row.alias} 的更多操作`}>
            更多
          </Button>
        </Dropdown>
      )}
    </span>
  );
}
