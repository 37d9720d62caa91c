import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { plainCode } from '#kernel/contract/words/plainly.ts';
import { proving, workWanted } from '#modules/platform/accounts/web/challenge.ts';
import { sentenceOf } from './signIn.ts';

/** Input for an address to which a code is sent, and for the code. `work` is the difficulty of the challenge for the next attempt. */
export function CodeForm({
  label,
  kind,
  flaw,
  least = 0,
  sendCode,
  submit,
  onSubmit,
  children,
}: {
  label: string;
  kind: 'tel' | 'text';
  /** Returns the fault in the typed address; '' if there is none. */
  flaw: (target: string) => string;
  /** The difficulty required from the first code on. */
  least?: number;
  sendCode: (target: string, challenge?: string) => Promise<unknown>;
  submit: string;
  onSubmit: (target: string, code: string, work: number) => Promise<void>;
  children?: ReactNode;
}) {
  const [target, setTarget] = useState('');
  const [code, setCode] = useState('');
  const [wait, setWait] = useState(0);
  const [busy, setBusy] = useState(false);
  const [work, setWork] = useState(least);
  const [error, setError] = useState('');
  useEffect(() => {
    if (wait <= 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  const attempt = async (act: (to: string) => Promise<void>) => {
    const to = target.trim();
    const wrong = flaw(to);
    if (wrong) return setError(wrong);
    setBusy(true);
    setError('');
    try {
      await act(to);
    } catch (failure) {
      setError(sentenceOf(failure));
      setWork(Math.max(least, workWanted(failure)));
    }
    setBusy(false);
  };
  const send = () =>
    attempt(async (to) => {
      await proving(work, (challenge) => sendCode(to, challenge));
      setWait(60);
    });
  const handIn = (event: FormEvent) => {
    event.preventDefault();
    const typed = plainCode(code);
    if (!/^\d{6}$/.test(typed)) return setError('请输入 6 位数字验证码');
    void attempt((to) => onSubmit(to, typed, work));
  };
  return (
    <form onSubmit={handIn} noValidate>
      <label htmlFor="target">{label}</label>
      <input
        id="target"
        inputMode={kind}
        autoComplete={kind === 'tel' ? 'tel' : 'username'}
        autoCapitalize="none"
        maxLength={kind === 'tel' ? 11 : 100}
        value={target}
        onChange={(event) => setTarget(event.target.value)}
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
        <button type="button" className="quiet" disabled={busy || wait > 0} onClick={() => void send()}>
          {wait > 0 ? `${wait} 秒后重发` : '获取验证码'}
        </button>
      </div>
      {children}
      <p role="alert" className="error">
        {error}
      </p>
      <button type="submit" className="filled" disabled={busy}>
        {submit}
      </button>
    </form>
  );
}
