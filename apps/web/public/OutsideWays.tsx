import { useState } from 'react';
import { send } from '#kernel/web/client.ts';
import { signOn } from '#modules/platform/signon/contract.ts';
import { sentenceOf, wayWanted } from './signIn.ts';
import type { Site } from './useSite.ts';

/** Buttons for signing in through other servers; only those that are configured. */
export default function OutsideWays({ login }: { login: NonNullable<Site['login']> }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const leave = async (way: 'sso' | 'wechat') => {
    setBusy(true);
    setError('');
    const query = { redirect: wayWanted() ?? '' };
    try {
      const start =
        way === 'sso'
          ? await send(signOn.start, { query }, { quiet: true })
          : await send(signOn.wechat, { query }, { quiet: true });
      if ('url' in start && /^https?:\/\//.test(start.url)) return location.assign(start.url);
      setError('登录地址不正确，请联系管理员核对接口设置');
    } catch (failure) {
      setError(sentenceOf(failure));
    }
    setBusy(false);
  };
  return (
    <>
      {login.sso_enabled && (
        <button type="button" className="filled" disabled={busy} onClick={() => void leave('sso')}>
          单点登录
        </button>
      )}
      {login.wechat_enabled && (
        <button type="button" className="filled" disabled={busy} onClick={() => void leave('wechat')}>
          微信登录
        </button>
      )}
      {error && (
        <p role="alert" className="error">
          {error}
        </p>
      )}
    </>
  );
}
