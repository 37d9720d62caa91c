import { send } from '#kernel/web/client.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { accounts } from '../contract.ts';
import { SendCode } from './forgotten/SendCode.tsx';

/** Changes my phone with a code sent to the new number. */
export function PhoneForm({ current, onDone }: { current: string; onDone: () => void }) {
  return (
    <CallForm
      name="phone"
      secret
      call={accounts.changePhone}
      submit="修改手机号"
      onDone={onDone}
      fields={[
        { name: 'phone', autoComplete: 'tel', help: current ? `当前：${current}` : '当前未绑定' },
        { name: 'code', autoComplete: 'one-time-code' },
        { name: 'password', kind: 'password', autoComplete: 'current-password' },
      ]}
      extra={(values) => {
        const phone = String(values['phone'] ?? '');
        return (
          <SendCode
            ready={/^1[3-9]\d{9}$/.test(phone)}
            send={(challenge) =>
              send(accounts.smsCode, { params: { phone }, query: { scene: 'change', challenge } }, { quiet: true })
            }
            said={accounts.smsCode.message}
          />
        );
      }}
    />
  );
}
