import { Skeleton } from 'antd';
import { Suspense, useContext, useEffect, useMemo, useState } from 'react';
import {
  createPath,
  matchRoutes,
  UNSAFE_NavigationContext as NavigationContext,
  UNSAFE_RouteContext as RouteContext,
  type Navigator,
  type RouteObject,
} from 'react-router';
import { PageContext } from '#kernel/web/kit/page.tsx';
import type { BesideProps } from '#kernel/web/kit/list/rows/beside.ts';
import { At } from './KeepAlive.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import { routesOf } from './routes.tsx';
import { useSession } from './SessionContext.ts';

/** The surrounding page has an address of its own, and the record's is not below it. */
const outermost = { outlet: null, matches: [], isDataRoute: false };

/** True if an address is the page of one record; a list, whose actions are in its rows, is not shown beside another. */
const isRecord = (routes: RouteObject[], address: string) =>
  matchRoutes(routes, address.split('?')[0]!)?.at(-1)?.route.path?.includes(':') ?? false;

/**
 * A record's own page beside a list, with the person's codes there. Links that replace the page, to the next record or another month, stay here; it
 * does not name the tab; unsent text keeps the tab from closing while the page is shown.
 */
export function RecordBeside({ to, otherwise }: BesideProps) {
  const { menu } = useSession();
  const routes = useMemo(() => routesOf(menu), [menu]);
  const { hold } = useContext(PageContext);
  const [shown, setShown] = useState(to);
  const [held] = useState(() => new Set<string>());
  const page = useMemo(
    () => ({
      entitle: () => undefined,
      hold: (key: string, on: boolean) => {
        if (on) held.add(key);
        else held.delete(key);
        hold(key, on);
      },
      become: setShown,
    }),
    [hold, held],
  );
  const outside = useContext(NavigationContext);
  const inside = useMemo(() => {
    const { navigator } = outside;
    const replace: Navigator['replace'] = (to, state, options) => {
      const address = typeof to === 'string' ? to : createPath(to);
      if (isRecord(routes, address)) setShown(address);
      else navigator.replace(to, state, options);
    };
    return { ...outside, navigator: { ...navigator, replace } };
  }, [outside, routes]);
  useEffect(() => () => held.forEach((key) => hold(key, false)), [held, hold]);
  if (!isRecord(routes, shown)) return otherwise;
  return (
    <PageContext value={page}>
      <NavigationContext value={inside}>
        <RouteContext value={outermost}>
          <PageBoundary>
            <Suspense fallback={<Skeleton active paragraph={{ rows: 12 }} />}>
              <At routes={routes} fullPath={shown} />
            </Suspense>
          </PageBoundary>
        </RouteContext>
      </NavigationContext>
    </PageContext>
  );
}
