import { lazy, Suspense } from 'react';
import { bindToken } from './bindToken.ts';
import { PhoneCodeForm } from './PhoneCodeForm.tsx';
import { Sheet } from './Sheet.tsx';
import { signIn, wayWanted } from './signIn.ts';
import type { Site } from './useSite.ts';

const OutsideWays = lazy(() => import('./OutsideWays.tsx'));
const BindPhone = lazy(() => import('./BindPhone.tsx'));

/** The other ways to sign in: a code by SMS, single sign-on, WeChat; each only if the settings allow it. */
export default function SignInTwo({ site }: { site: Site }) {
  const login = site.login;
  const outside = login?.sso_enabled || login?.wechat_enabled;
  if (bindToken())
    return (
      <Suspense>
        <BindPhone site={site} />
      </Suspense>
    );
  return (
    <Sheet site={site} title="其他登录方式">
      {login?.phone_login && (
        <PhoneCodeForm
          scene="login"
          submit="登录"
          onSubmit={(phone, code, work) => signIn({ phone, code }, work, wayWanted())}
        />
      )}
      {login && outside && (
        <Suspense>
          <OutsideWays login={login} />
        </Suspense>
      )}
      {login && !login.phone_login && !outside && <p className="hint">其他登录方式尚未开放，请使用用户名和密码</p>}
      <a className="other" href={`/login${location.search}`}>
        用户名密码登录
      </a>
    </Sheet>
  );
}
