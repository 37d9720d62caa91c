import { send } from '#kernel/web/client.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { CodeForm } from './CodeForm.tsx';

/** A phone number and the code sent to it. */
export function PhoneCodeForm({
  scene,
  submit,
  onSubmit,
}: {
  scene: 'login' | 'bind' | 'order';
  submit: string;
  onSubmit: (phone: string, code: string, work: number) => Promise<void>;
}) {
  return (
    <CodeForm
      label="手机号"
      kind="tel"
      flaw={(phone) => (/^1[3-9]\d{9}$/.test(phone) ? '' : '请输入 11 位手机号')}
      // A report without an account requires a challenge from the first code on.
      least={scene === 'order' ? 1 : 0}
      sendCode={(phone, challenge) =>
        send(accounts.smsCode, { params: { phone }, query: { scene, challenge } }, { quiet: true })
      }
      submit={submit}
      onSubmit={onSubmit}
    />
  );
}
