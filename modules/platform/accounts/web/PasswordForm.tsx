import { useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts } from '../contract.ts';

/** Changes my password; nothing is stored in the browser. The field can be shown in plain text, so it is asked for once. */
export default function PasswordForm({ onDone }: { onDone: () => void }) {
  const { data } = useCall(settings.login, {}, { quiet: true });
  const { pwd_min = 8, pwd_classes = 0 } = data?.value ?? {};
  const classes = pwd_classes > 1 ? `，含大写、小写、数字、符号中的 ${pwd_classes} 类` : '';
  return (
    <CallForm
      name="password"
      secret
      call={accounts.changePassword}
      submit="修改密码"
      onDone={onDone}
      fields={[
        { name: 'old_password', kind: 'password', autoComplete: 'current-password' },
        {
          name: 'new_password',
          kind: 'password',
          autoComplete: 'new-password',
          help: `至少 ${pwd_min} 位${classes}；不能包含用户名、姓名和手机号，不能是常见密码或最近用过的密码`,
        },
      ]}
    />
  );
}
