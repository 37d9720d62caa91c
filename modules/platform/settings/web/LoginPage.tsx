import { Input } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { settings } from '../contract.ts';
import { loginRules } from '../contract/login.ts';

const withSingleSignOn = { when: (values: Record<string, unknown>) => values['sso_enabled'] === true };
const instead: Record<string, Partial<FormField>> = {
  sso_only: withSingleSignOn,
  allow_register: withSingleSignOn,
  ip_whitelist: {
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
};

/** Rules of signing in. Everybody with the page sees them, super administrators change them. */
export default function LoginPage() {
  const { data: me } = useCall(accounts.me, {});
  const readOnly = me && (me.is_super ? null : '登录设置只有超级管理员可以修改');
  return (
    <RulesPanel
      rules={loginRules}
      read={settings.login}
      save={settings.saveLogin}
      readOnly={readOnly}
      instead={instead}
    />
  );
}
