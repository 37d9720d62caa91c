import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { plainCode } from '#kernel/contract/words/plainly.ts';
import { send } from '#kernel/web/client.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { proving, workWanted } from '#modules/platform/accounts/web/challenge.ts';
import { sentenceOf } from './signIn.ts';

/** A phone number and the code sent to it. `work` is how dear a challenge must be solved before the next attempt. */
export function PhoneCodeForm({
  scene,
  submit,
  onSubmit,
}: {
  scene: 'login' | 'bind' | 'order';
  submit: string;
  onSubmit: (phone: string, code: string, work: number) => Promise<void>;
}) {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [wait, setWait] = useState(0);
  const [busy, setBusy] = useState(false);
  // Whoever reports without an account proves work from the first code on.
  const least = scene === 'order' ? 1 : 0;
  const [work, setWork] = useState(least);
  const [error, setError] = useState('');
  useEffect(() => {
    if (wait <= 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  const attempt = async (act: () => Promise<void>) => {
    if (!/^1[3-9]\d{9}$/.test(phone)) return setError('请输入 11 位手机号');
    setBusy(true);
    setError('');
    try {
      await act();
    } catch (failure) {
      setError(sentenceOf(failure));
      setWork(Math.max(least, workWanted(failure)));
    }
    setBusy(false);
  };
  const sendCode = () =>
    attempt(async () => {
      await proving(work, (challenge) =>
        send(accounts.smsCode, { params: { phone }, query: { scene, challenge } }, { quiet: true }),
      );
      setWait(60);
    });
  const handIn = (event: FormEvent) => {
    event.preventDefault();
    const typed = plainCode(code);
    if (!/^\d{6}$/.test(typed)) return setError('请输入 6 位数字验证码');
    void attempt(() => onSubmit(phone, typed, work));
  };
  return (
    <form onSubmit={handIn} noValidate>
      <label htmlFor="phone">手机号</label>
      <input
        id="phone"
        inputMode="tel"
        autoComplete="tel"
        maxLength={11}
        value={phone}
        onChange={(event) => setPhone(event.target.value)}
      />
      <label htmlFor="code">验证码</label>
      <div className="joined">
        <input
          id="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <button type="button" className="quiet" disabled={busy || wait > 0} onClick={() => void sendCode()}>
          {wait > 0 ? `${wait} 秒后重发` : '获取验证码'}
        </button>
      </div>
      <p role="alert" className="error">
        {error}
      </p>
      <button type="submit" className="filled" disabled={busy}>
        {submit}
      </button>
    </form>
  );
}
