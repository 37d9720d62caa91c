import { App, Input } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { accounts } from '#modules/accounts/contract.ts';
import { settings } from '../contract.ts';
import { SettingsPanel } from './SettingsPanel.tsx';

const fields: FormField[] = [
  {
    name: 'dengbao',
    label: '等保模式',
    kind: 'switch',
    group: '密码',
    help: '开启后密码须含 3 类字符、90 天更换，允许失败最多 5 次，失败至少计 10 分钟；更严的设置保持不变',
  },
  { name: 'pwd_min', label: '密码最短位数' },
  { name: 'pwd_classes', label: '密码字符种类', help: '大写、小写、数字、符号中至少几类，0 为不限' },
  { name: 'pwd_expire_days', label: '密码有效天数', help: '到期后登录须先修改密码，0 为长期有效' },
  { name: 'pwd_history', label: '不能与最近几次相同' },
  {
    name: 'max_fail',
    label: '允许失败次数',
    group: '登录失败',
    help: '达到后，每次登录都须完成最费时的安全校验；登录过的设备各自计数',
  },
  { name: 'lock_min', label: '失败计数分钟数', help: '这段时间内的失败一起计算' },
  { name: 'captcha_after', label: '几次失败后安全校验' },
  { name: 'session_hours', label: '登录保持小时数', group: '登录状态', help: '从最后一次使用算起' },
  { name: 'single_session', label: '只允许一处登录', kind: 'switch', help: '新登录会使其他设备退出' },
  { name: 'phone_login', label: '手机验证码登录', kind: 'switch', group: '登录方式' },
  { name: 'sso_enabled', label: '单点登录', kind: 'switch' },
  { name: 'sso_only', label: '只允许单点登录', kind: 'switch', when: (values) => values['sso_enabled'] === true },
  {
    name: 'allow_register',
    label: '首次单点登录建号',
    kind: 'switch',
    help: '工号在本系统没有账号时自动新增，只有基本权限；不开启则拒绝登录',
    when: (values) => values['sso_enabled'] === true,
  },
  { name: 'wechat_enabled', label: '微信登录', kind: 'switch' },
  {
    name: 'ip_whitelist',
    label: '允许登录的地址',
    help: '每行一个地址或网段，例如 10.0.0.0/8；不填则不限',
    render: ({ id, value, onChange, disabled }) => (
      <Input.TextArea
        id={id}
        disabled={disabled}
        autoSize={{ minRows: 2, maxRows: 10 }}
        value={((value as string[] | undefined) ?? []).join('\n')}
        onChange={(event) => onChange?.(event.target.value === '' ? [] : event.target.value.split('\n'))}
      />
    ),
  },
  {
    name: 'log_keep_days',
    label: '操作日志保留天数',
    group: '操作日志',
    help: '不到这个天数的记录不能清除，至少 180 天',
  },
];

/** Rules of signing in. Everybody with the page sees them, super administrators change them. */
export default function LoginPage() {
  const reading = useCall(settings.login, {});
  const me = useCall(accounts.me, {});
  const { message } = App.useApp();
  const { data } = reading;
  const readOnly = me.data?.is_super === false ? '登录设置只有超级管理员可以修改' : null;
  return (
    <SettingsPanel title="登录设置" reading={reading} readOnly={readOnly}>
      {data && me.data?.is_super && (
        <CallForm
          key={data.version}
          name="settings-login"
          call={settings.saveLogin}
          initial={data.value}
          also={{ version: data.version }}
          submit="保存登录设置"
          onDone={() => void message.success(settings.saveLogin.message)}
          fields={fields}
        />
      )}
    </SettingsPanel>
  );
}
