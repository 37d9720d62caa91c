import { Skeleton } from 'antd';
import { Activity, Suspense, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { parsePath, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';
import { PageContext } from '#kernel/web/kit/page.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import type { TabState } from './tabs.ts';

interface Props {
  state: TabState;
  active: string;
  routes: RouteObject[];
  entitle: (path: string, title: string) => void;
  hold: (path: string, key: string, held: boolean) => void;
  become: (path: string, to: string) => void;
}

/** The mounted pages, each at its own address; all but the active one are hidden and their effects asleep. */
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
      entitle: (title: string) => entitle(path, title),
      hold: (key: string, held: boolean) => hold(path, key, held),
      become: (to: string) => become(path, to),
    }),
    [path, entitle, hold, become],
  );
  return (
    <PageContext value={page}>
      <Scroll>
        <PageBoundary>
          <Suspense fallback={<Skeleton active className="kit-panel" paragraph={{ rows: 12 }} />}>
            <At routes={routes} fullPath={fullPath} />
          </Suspense>
        </PageBoundary>
      </Scroll>
    </PageContext>
  );
}

function At({ routes, fullPath }: { routes: RouteObject[]; fullPath: string }): ReactNode {
  const location = useMemo(
    () => ({ pathname: '/', search: '', hash: '', state: null, key: fullPath, ...parsePath(fullPath) }),
    [fullPath],
  );
  return useRoutes(routes, location);
}

/** A page scrolls alone, and is found where it was left. */
export function Scroll({ children }: { children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  const top = useRef(0);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = top.current;
  }, []);
  const scrolled = useCallback(() => {
    if (box.current) top.current = box.current.scrollTop;
  }, []);
  return (
    <main className="page" ref={box} onScroll={scrolled} tabIndex={-1}>
      {children}
    </main>
  );
}
