import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { send } from '#kernel/web/client.ts';
import { accounts } from '#modules/accounts/contract.ts';
import { proving, wantsChallenge } from '#modules/accounts/web/challenge.ts';
import { Sheet } from './Sheet.tsx';
import { sentenceOf, signIn } from './signIn.ts';
import type { Site } from './useSite.ts';

/** The other ways to sign in: a code by SMS, single sign-on, WeChat; each only where the settings open it. */
export function SignInTwo({ site }: { site: Site }) {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [wait, setWait] = useState(0);
  const [busy, setBusy] = useState(false);
  const [prove, setProve] = useState(false);
  const [error, setError] = useState('');
  const [urls, setUrls] = useState<{ sso_url: string; wechat_url: string } | null>(null);
  const login = site.login;
  const outside = login?.sso_enabled || login?.wechat_enabled;
  useEffect(() => {
    if (outside) void send(accounts.urls, {}, { quiet: true }).then(setUrls, () => undefined);
  }, [outside]);
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
      setProve(wantsChallenge(failure));
    }
    setBusy(false);
  };
  const sendCode = () =>
    attempt(async () => {
      await proving(prove, (challenge) =>
        send(accounts.smsCode, { params: { phone }, query: { scene: 'login', challenge } }, { quiet: true }),
      );
      setWait(60);
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!/^\d{6}$/.test(code)) return setError('请输入 6 位数字验证码');
    void attempt(() => signIn({ phone, code }, prove, new URLSearchParams(location.search).get('redirect')));
  };
  return (
    <Sheet site={site} title="其他登录方式">
      {login?.phone_login && (
        <form onSubmit={submit} noValidate>
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
              maxLength={6}
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
            登录
          </button>
        </form>
      )}
      {login?.sso_enabled && urls?.sso_url && (
        <a className="filled" href={urls.sso_url}>
          单点登录
        </a>
      )}
      {login?.wechat_enabled && urls?.wechat_url && (
        <a className="filled" href={urls.wechat_url}>
          微信登录
        </a>
      )}
      {login && !login.phone_login && !outside && <p className="hint">其他登录方式尚未开放，请使用用户名和密码</p>}
      <a className="other" href={`/login${location.search}`}>
        用户名密码登录
      </a>
    </Sheet>
  );
}
