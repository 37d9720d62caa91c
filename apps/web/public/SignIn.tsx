import { lazy, Suspense, useState } from 'react';
import type { FormEvent } from 'react';
import { workWanted } from '#modules/platform/accounts/web/challenge.ts';
import { Sheet } from './Sheet.tsx';
import type { Site } from './useSite.ts';
import { sentenceOf, signIn, wayWanted } from './signIn.ts';

const OutsideWays = lazy(() => import('./OutsideWays.tsx'));

const noticeKey = 'signInNotice';

/** Sign-in with user name and password. */
export function SignIn({ site }: { site: Site }) {
  const [notice] = useState(() => sessionStorage.getItem(noticeKey));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(notice ?? '');
  const [work, setWork] = useState(0);
  const [plain, setPlain] = useState(false);
  const [caps, setCaps] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    sessionStorage.removeItem(noticeKey);
    const username = String(values.get('username')).trim();
    const password = String(values.get('password'));
    const missing = username ? (password ? '' : 'password') : 'username';
    if (missing) {
      setError(missing === 'username' ? '请填写用户名' : '请填写密码');
      return (form.elements.namedItem(missing) as HTMLInputElement).focus();
    }
    setBusy(true);
    setError('');
    try {
      await signIn({ username, password }, work, wayWanted());
    } catch (failure) {
      setError(sentenceOf(failure));
      setWork(workWanted(failure));
      setBusy(false);
      (form.elements.namedItem('password') as HTMLInputElement).select();
    }
  };
  const { login } = site;
  return (
    <Sheet site={site} title="登录">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor="username">用户名</label>
        <input id="username" name="username" autoComplete="username" maxLength={50} autoFocus autoCapitalize="none" />
        <label htmlFor="password">密码</label>
        <div className="joined">
          <input
            id="password"
            name="password"
            type={plain ? 'text' : 'password'}
            autoComplete="current-password"
            maxLength={128}
            aria-describedby="sign-in-error"
            onKeyUp={(event) => setCaps(event.getModifierState('CapsLock'))}
          />
          <button type="button" className="quiet" aria-pressed={plain} onClick={() => setPlain(!plain)}>
            {plain ? '隐藏' : '显示'}
          </button>
        </div>
        {caps && <p className="hint">大写锁定已打开</p>}
        <p id="sign-in-error" role="alert" className="error">
          {error}
        </p>
        <button type="submit" className="filled" disabled={busy}>
          {busy ? (work > 0 ? '正在安全校验' : '登录中') : '登录'}
        </button>
      </form>
      {login && login.forgot_ways.length > 0 && (
        <a className="other" href="/forgotten">
          {login.sso_only ? '超级管理员找回密码' : '忘记密码'}
        </a>
      )}
      {login && (login.sso_enabled || login.wechat_enabled) && (
        <Suspense>
          <OutsideWays login={login} />
        </Suspense>
      )}
      {login?.phone_login && (
        <a className="other" href={`/loginTwo${location.search}`}>
          其他登录方式
        </a>
      )}
    </Sheet>
  );
}
