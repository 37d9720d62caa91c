import { App } from 'antd';
import { Suspense, startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import { matchRoutes, parsePath, useLocation, useNavigate, useRoutes } from 'react-router';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { cookie, keepCookie } from '../cookies.ts';
import { shellSettings, visits } from '../stored.ts';
import { BottomBar } from './BottomBar.tsx';
import { KeepAlive, Scroll } from './KeepAlive.tsx';
import { entryFor, rootFor, shownChildren } from './menu.ts';
import type { MenuNode } from './menu.ts';
import { Navbar } from './Navbar.tsx';
import { passingTitle, routesOf } from './routes.tsx';
import { useSession } from './SessionContext.ts';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { Saving } from './Saving.tsx';
import { keepFocusBack } from './focus-back.ts';
import { forgetTops } from './scrolls.ts';
import { Sidebars } from './Sidebars.tsx';
import { TabBar } from './TabBar.tsx';
import { become, close, closedBy, entitle, nextAfter, unmount } from './tabs.ts';
import type { Closing } from './tabs.ts';
import { useTabs, viewOf } from './useTabs.ts';

// Loaded only after the first page; without it only the notifications are missing.
const nothing = { default: () => null };
const Live = later(() => after(2000, () => patiently(() => import('./Live.tsx'))).catch(() => nothing));
const Device = later(() => after(3000, () => patiently(() => import('./Device.tsx'))).catch(() => nothing));
const Seeing = later(() => import('#modules/platform/accounts/web/Seeing.tsx'));
const after = <T,>(ms: number, then: () => Promise<T>) => new Promise((done) => setTimeout(done, ms)).then(then);

/** Moves the focus to the link of the first row in the visible list, or to the page if it has none. */
function toFirstRow(): void {
  const page = [...document.querySelectorAll<HTMLElement>('main.page')].find((one) => one.checkVisibility());
  const row = page?.querySelector('.ant-table-row, .kit-cards > li, .kit-lines > li');
  (row?.querySelector<HTMLElement>('a, button') ?? page)?.focus();
}

const quietSaid = (since: string) =>
  `本系统是从备份恢复的副本（数据截至 ${since.slice(0, 16)}），短信、邮件、推送、回调都不向外发送，也不补发；确定由它继续办公的，请管理员在“投递日志”中允许`;

/** Navbar, two sidebars, tab bar and the pages. */
export function Frame() {
  const { me, menu, site } = useSession();
  const { tagsView, fixedHeader } = shellSettings.use();
  const { modal } = App.useApp();
  const narrow = useNarrow();
  const location = useLocation();
  const navigate = useNavigate();
  const path = location.pathname;
  const routes = useMemo(() => routesOf(menu), [menu]);
  const known = useCallback((at: string) => matchRoutes(routes, at)?.[0]?.route.path !== '*', [routes]);
  const { state, passing, update, hold, release, isHeld } = useTabs(menu, known);
  const passed = useRoutes(routes);

  const [wished, setOpen] = useState(() => cookie('sidebarStatus') !== '0');
  const [drawer, setDrawer] = useState(false);
  const [looked, setLooked] = useState<{ root: MenuNode; at: string } | null>(null);
  const root = (looked?.at === location.key ? looked.root : undefined) ?? rootFor(menu, path);
  const hasChildren = root !== undefined && shownChildren(root).length > 0;
  const open = narrow ? drawer : wished && hasChildren;
  // On a phone the sidebar closes when the page changes and when the window does.
  useEffect(() => setDrawer(false), [path, narrow]);
  useEffect(() => {
    const shut = () => setDrawer(false);
    const escape = ({ key }: KeyboardEvent) => key === 'Escape' && shut();
    window.addEventListener('resize', shut);
    window.addEventListener('keydown', escape);
    return () => {
      window.removeEventListener('resize', shut);
      window.removeEventListener('keydown', escape);
    };
  }, []);
  useEffect(keepFocusBack, []);
  const toggle = () => {
    if (narrow) return setDrawer(!drawer);
    setOpen(!wished);
    keepCookie('sidebarStatus', wished ? '0' : '1');
  };

  useEffect(() => {
    const at = entryFor(menu, path)?.path;
    if (at) visits.set({ ...visits.get(), [at]: (visits.get()[at] ?? 0) + 1 });
  }, [menu, path]);

  const title = passingTitle(path) ?? state.visited.find((view) => view.path === path)?.title;
  useEffect(() => {
    document.title = title ? `${title} - ${site.name}` : site.name;
  }, [title, site.name]);

  const shut = (closing: Closing, at: string) => {
    const paths = closedBy(state, closing, at);
    const go = () => {
      release(paths);
      forgetTops(paths);
      const after = close(state, paths);
      const next = nextAfter(state, after, path);
      // In one transition, because the address that still exists for a moment would open its tab again.
      startTransition(() => {
        update((before) => close(before, paths));
        if (next) void navigate(next);
      });
    };
    if (!paths.some(isHeld)) return go();
    modal.confirm({
      title: '有内容尚未提交',
      content: '关闭后可从草稿恢复',
      okText: '关闭',
      cancelText: '继续填写',
      onOk: go,
    });
  };
  const refresh = (at: string) => {
    const view = state.visited.find((one) => one.path === at);
    if (!view) return;
    forgetTops([at]);
    // In one transition, because the address that still exists for a moment would mount its page again.
    startTransition(() => {
      update((before) => unmount(before, at));
      void navigate(`/redirect${view.fullPath}`, { replace: true });
    });
  };
  const turnInto = useCallback(
    (at: string, to: string) => {
      const { pathname = '/', search = '' } = parsePath(to);
      release([at]);
      startTransition(() => {
        update((before) => become(before, at, viewOf(menu, pathname, search)));
        void navigate(to, { replace: true });
      });
    },
    [menu, navigate, release, update],
  );
  const name = useCallback(
    (at: string, text: string, sn?: string) => update((before) => entitle(before, at, text, sn)),
    [update],
  );

  return (
    <div className={fixedHeader ? 'office' : 'office office-flowing'} data-narrow={narrow}>
      <a className="skip" href="#page">
        跳到内容
      </a>
      <button type="button" className="skip" onClick={toFirstRow}>
        跳到列表
      </button>
      <Navbar open={open} onToggle={toggle} canToggle={narrow || hasChildren} />
      <Sidebars
        menu={menu}
        root={root}
        open={open}
        narrow={narrow}
        onLook={(node) => {
          setLooked({ root: node, at: location.key });
          if (!narrow) setOpen(true);
        }}
        onClose={() => setDrawer(false)}
      />
      <div className="stage" id="page">
        <Saving />
        {site.quiet_since && (
          <p className="saving" role="status">
            {quietSaid(site.quiet_since)}
          </p>
        )}
        {me.seeing && (
          <Suspense fallback={null}>
            <Seeing whose={me.seeing} />
          </Suspense>
        )}
        {tagsView && !narrow && (
          <TabBar state={state} active={path} onGo={(to) => void navigate(to)} onClose={shut} onRefresh={refresh} />
        )}
        <KeepAlive
          state={state}
          active={passing ? '' : path}
          routes={routes}
          entitle={name}
          hold={hold}
          become={turnInto}
        />
        {passing && <Scroll>{passed}</Scroll>}
      </div>
      {narrow && <BottomBar known={known} />}
      {!me.seeing && (
        <Suspense>
          <Live />
          <Device />
        </Suspense>
      )}
    </div>
  );
}
