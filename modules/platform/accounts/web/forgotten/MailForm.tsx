import { send } from '#kernel/web/client.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { forgotten } from '../../contract/forgotten.ts';
import { SendCode } from './SendCode.tsx';

/** Confirms my mail address with a code sent there, so that it can reset the password. */
export function MailForm({ current, confirmed, onDone }: { current: string; confirmed: boolean; onDone: () => void }) {
  const state = current ? `当前：${current}，${confirmed ? '已验证' : '未验证'}` : '当前未填写';
  return (
    <CallForm
      key={current}
      name="mail"
      secret
      call={forgotten.confirmMail}
      initial={{ email: current }}
      submit="验证邮箱"
      onDone={onDone}
      fields={[
        {
          name: 'email',
          autoComplete: 'email',
          help: `${state}；验证后可在登录页用它找回密码，以后改了邮箱须重新验证`,
        },
        { name: 'code', autoComplete: 'one-time-code' },
        { name: 'password', kind: 'password', autoComplete: 'current-password' },
      ]}
      extra={(values) => {
        const email = String(values['email'] ?? '').trim();
        return (
          <SendCode
            ready={/^\S+@\S+\.\S+$/.test(email)}
            send={(challenge) => send(forgotten.mailCode, { body: { email, challenge } }, { quiet: true })}
            said={forgotten.mailCode.message}
          />
        );
      }}
    />
  );
}
