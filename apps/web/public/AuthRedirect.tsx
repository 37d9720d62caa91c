import { useEffect, useState } from 'react';
import { send } from '#kernel/web/client.ts';
import { keepToken } from '#kernel/web/token.ts';
import { signOn } from '#modules/platform/signon/contract.ts';
import { keepBindToken } from './bindToken.ts';
import { Sheet } from './Sheet.tsx';
import { enter, sentenceOf } from './signIn.ts';
import type { Site } from './useSite.ts';

/** The page to which another server sends the browser back: the returned values are submitted once and removed from the address at once. */
export default function AuthRedirect({ site }: { site: Site }) {
  const [error, setError] = useState('');
  useEffect(() => {
    const brought = new URLSearchParams(location.search);
    history.replaceState(null, '', '/auth-redirect');
    arrive(brought).catch((failure: unknown) => setError(sentenceOf(failure)));
  }, []);
  if (!error)
    return (
      <Sheet site={site} title="正在登录">
        <p role="status">正在核对您的身份，请稍候</p>
      </Sheet>
    );
  return (
    <Sheet site={site} title="未能登录">
      <p role="alert">{error}</p>
      <a className="filled" href="/loginTwo">
        重新登录
      </a>
      <a className="other" href="/login">
        用户名密码登录
      </a>
    </Sheet>
  );
}

async function arrive(brought: URLSearchParams): Promise<void> {
  const given = (name: string) => brought.get(name) ?? undefined;
  const [code, state, ticket, error] = [given('code'), given('state'), given('ticket'), given('error')];
  if (!code && !ticket && !error && !state) throw new Error('登录信息不完整或已失效，请重新登录');
  if (brought.get('way') !== 'wechat') {
    const reply = await send(
      signOn.finish,
      { query: { code, state, ticket, error, iss: given('iss') } },
      { quiet: true },
    );
    return enter({ ...reply, token: reply.jwt, staff: reply.is_yg }, reply.redirect);
  }
  const reply = await send(signOn.wechat, { query: { code, state } }, { quiet: true });
  if ('userinfo' in reply)
    return enter({ ...reply.userinfo, token: reply.userinfo.access_token, staff: true }, reply.redirect);
  if (!('need_bind' in reply)) throw new Error('登录信息不完整或已失效，请重新登录');
  keepToken(null);
  keepBindToken(reply.bind_token);
  location.replace('/loginTwo');
}
