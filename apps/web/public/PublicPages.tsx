import { lazy, Suspense, useEffect } from 'react';
import { announceWith } from '#kernel/web/announce.ts';
import { plainAnnouncer } from './announcePlain.ts';
import { Sheet } from './Sheet.tsx';
import { SignIn } from './SignIn.tsx';
import { useSite } from './useSite.ts';
import type { Site } from './useSite.ts';
import './public.css';

const titles: Record<string, string> = {
  '/login': '登录',
  '/loginTwo': '其他登录方式',
  '/login2': '其他登录方式',
  '/forgotten': '找回密码',
  '/index': '首页',
  '/myOrder': '我的工单',
  '/auth-redirect': '正在登录',
  '/404': '页面不存在',
  '/401': '没有权限',
};

// Loaded only by people who sign in by other means than a password.
const SignInTwo = lazy(() => import('./SignInTwo.tsx'));
const Forgotten = lazy(() => import('./Forgotten.tsx'));
const AuthRedirect = lazy(() => import('./AuthRedirect.tsx'));
const MyOrder = lazy(() => import('./MyOrder.tsx'));

/** The pages that strangers may see, without router and component library: links between them reload the page. */
export function PublicPages({ path }: { path: string }) {
  const site = useSite();
  const at = path.length > 1 ? path.replace(/\/$/, '') : path;
  // Not at module level: a packet of the office that shares code with these pages would take over its failures.
  useEffect(() => {
    announceWith(plainAnnouncer);
    return () => announceWith(null);
  }, []);
  useEffect(() => {
    document.title = `${titles[at] ?? ''} - ${site.name}`;
  }, [at, site.name]);
  if (at === '/login') return <SignIn site={site} />;
  if (at === '/loginTwo' || at === '/login2' || at === '/auth-redirect')
    return <Suspense>{at === '/auth-redirect' ? <AuthRedirect site={site} /> : <SignInTwo site={site} />}</Suspense>;
  if (at === '/forgotten')
    return (
      <Suspense>
        <Forgotten site={site} />
      </Suspense>
    );
  if (at === '/myOrder')
    return (
      <Suspense
        fallback={
          <Sheet site={site} title="报修与查询">
            <p>正在打开</p>
          </Sheet>
        }
      >
        <MyOrder site={site} />
      </Suspense>
    );
  if (at === '/index') return <FrontPage site={site} />;
  return (
    <Sheet site={site} title={titles[at] ?? ''}>
      <p>{sentences[at]}</p>
      <a className="filled" href={ways[at]}>
        {at === '/404' ? '返回首页' : '去登录'}
      </a>
    </Sheet>
  );
}

const ways: Record<string, string> = {
  '/404': '/index',
  '/401': '/login',
};

const sentences: Record<string, string> = {
  '/404': '您访问的地址不存在，可能已被移动',
  '/401': '登录后才能访问该页面',
};

function FrontPage({ site }: { site: Site }) {
  return (
    <Sheet site={site} title={`欢迎使用${site.name}`}>
      <p>工单、公文、合同、会议、用印等内部事务在此办理，请使用单位账号登录</p>
      <a className="filled" href="/login">
        用户名密码登录
      </a>
      {site.login && (site.login.phone_login || site.login.sso_enabled || site.login.wechat_enabled) && (
        <a className="other" href="/loginTwo">
          其他登录方式
        </a>
      )}
      <a className="other" href="/myOrder">
        查看我的工单
      </a>
    </Sheet>
  );
}
