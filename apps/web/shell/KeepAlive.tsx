import { Skeleton } from 'antd';
import { Activity, Suspense, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { parsePath, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';
import { PageContext } from '#kernel/web/kit/page.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import { askWhenLeaving, keepTop, topOf } from './scrolls.ts';
import type { TabState } from './tabs.ts';

interface Props {
  state: TabState;
  active: string;
  routes: RouteObject[];
  entitle: (path: string, title: string, sn?: string) => void;
  hold: (path: string, key: string, held: boolean) => void;
  become: (path: string, to: string) => void;
}

/** The mounted pages, each at its own address; all but the active one are hidden, with their effects paused. */
export function KeepAlive({ state, active, routes, entitle, hold, become }: Props) {
  const mounted = state.visited.filter((view) => state.cached.includes(view.path));
  return mounted.map((view) => (
    <Activity key={view.path} mode={view.path === active ? 'visible' : 'hidden'}>
      <Kept path={view.path} fullPath={view.fullPath} routes={routes} entitle={entitle} hold={hold} become={become} />
    </Activity>
  ));
}

function Kept({
  path,
  fullPath,
  routes,
  entitle,
  hold,
  become,
}: { path: string; fullPath: string } & Pick<Props, 'routes' | 'entitle' | 'hold' | 'become'>) {
  const page = useMemo(
    () => ({
      entitle: (title: string, sn?: string) => entitle(path, title, sn),
      hold: (key: string, held: boolean) => hold(path, key, held),
      become: (to: string) => become(path, to),
    }),
    [path, entitle, hold, become],
  );
  return (
    <PageContext value={page}>
      <Scroll path={path}>
        <PageBoundary>
          <Suspense fallback={<Skeleton active className="kit-panel" paragraph={{ rows: 12 }} />}>
            <At routes={routes} fullPath={fullPath} />
          </Suspense>
        </PageBoundary>
      </Scroll>
    </PageContext>
  );
}

/** The page of an address, independent of the window's address. */
export function At({ routes, fullPath }: { routes: RouteObject[]; fullPath: string }): ReactNode {
  const location = useMemo(
    () => ({ pathname: '/', search: '', hash: '', state: null, key: fullPath, ...parsePath(fullPath) }),
    [fullPath],
  );
  return useRoutes(routes, location);
}

/** Milliseconds in which a page may grow back to its previous height. */
const growing = 5000;

/** A page scrolls by itself and returns to its scroll position after another page was shown, and after a reload as soon as it is tall enough. */
export function Scroll({ path, children }: { path?: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  const growingBack = useRef(false);
  const keep = useCallback(() => {
    const page = box.current;
    // Ignores scrolling that only results from a shorter page.
    if (page && path !== undefined && page.clientHeight > 0 && !growingBack.current) keepTop(path, page.scrollTop);
  }, [path]);
  useLayoutEffect(() => {
    const stopAsking = askWhenLeaving(keep);
    return () => {
      stopAsking();
      // A page that is hidden in the frame in which it was scrolled gets no event of that scrolling.
      keep();
    };
  }, [keep]);
  useLayoutEffect(() => {
    const page = box.current;
    const top = path === undefined ? 0 : topOf(path);
    if (!page) return;
    page.scrollTop = top;
    if (page.scrollTop >= top) return;
    growingBack.current = true;
    const restore = () => {
      page.scrollTop = top;
      if (page.scrollTop >= top) stop();
    };
    const watch = new ResizeObserver(restore);
    const inner = new MutationObserver(() => {
      watch.disconnect();
      for (const child of page.children) watch.observe(child);
    });
    inner.observe(page, { childList: true });
    for (const child of page.children) watch.observe(child);
    const stop = () => {
      growingBack.current = false;
      clearTimeout(timer);
      watch.disconnect();
      inner.disconnect();
      for (const moved of ['wheel', 'touchstart', 'keydown', 'pointerdown']) page.removeEventListener(moved, stop);
    };
    const timer = setTimeout(stop, growing);
    // A person who scrolls meanwhile is where they want to be.
    for (const moved of ['wheel', 'touchstart', 'keydown', 'pointerdown']) page.addEventListener(moved, stop);
    return stop;
  }, [path]);
  return (
    <main className="page" ref={box} onScroll={keep} tabIndex={-1}>
      {children}
    </main>
  );
}
