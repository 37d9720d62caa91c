import type { ComponentType, ReactNode } from 'react';
import { Link, Navigate, matchPath, useParams } from 'react-router';
import type { RouteObject } from 'react-router';
import { later } from '#kernel/web/later.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import type { LoadPage } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';
import { isExternal, visibleChildren } from './menu.ts';
import type { Menu, MenuNode } from './menu.ts';
import { Redirect } from './Redirect.tsx';

const lazyPages = new Map<LoadPage, ComponentType>();

function pageOf(load: LoadPage): ReactNode {
  let Page = lazyPages.get(load);
  if (!Page) {
    Page = later(load);
    lazyPages.set(load, Page);
  }
  return (
    <Numbered>
      <Page />
    </Numbered>
  );
}

/** A page that only says why there is nothing to see. */
function NoPage({ title, why, next }: { title: string; why: string; next?: ReactNode }) {
  return (
    <section className="kit-list" aria-label={title}>
      <h1>{title}</h1>
      <EmptyState why={why} next={next} />
    </section>
  );
}

const home = <Link to="/index">返回首页</Link>;
/** Titles of the routes that are no pages of the product. */
const passing = { '/404': '页面不存在', '/401': '没有权限' } as const;

const Absent = () => <NoPage title={passing['/404']} why="您访问的页面不存在，或您没有查看权限" next={home} />;

/** Shows no page for an id that cannot be a number. */
function Numbered({ children }: { children: ReactNode }) {
  const { id } = useParams();
  return id === undefined || /^\d{1,9}$/.test(id) ? children : <Absent />;
}

/** The route table: the fixed routes, then one for each menu entry, bound to its page component by name. */
export function routesOf(menu: Menu): RouteObject[] {
  const routes: RouteObject[] = [
    { path: '/', element: <Navigate to="/index" replace /> },
    { path: '/redirect/*', element: <Redirect /> },
    { path: '/404', element: <Absent /> },
    {
      path: '/401',
      element: <NoPage title={passing['/401']} why="您没有访问该页面的权限，请联系管理员开通" next={home} />,
    },
    { path: '*', element: <Navigate to="/404" replace /> },
  ];
  for (const { path, page } of registry.fixed) routes.push({ path, element: pageOf(registry.pages[page]!) });
  const fixed = new Set(registry.fixed.map(({ path }) => path));
  for (const node of menu.all) {
    if (isExternal(node.path) || fixed.has(node.path)) continue;
    routes.push({ path: node.path, element: elementOf(node) });
  }
  return routes;
}

/** The title of a page that is not a tab. */
export const passingTitle = (path: string): string | undefined => (passing as Readonly<Record<string, string>>)[path];

export function fixedTitle(path: string): string | undefined {
  return registry.fixed.find((one) => matchPath(one.path, path))?.title;
}

function elementOf(node: MenuNode): ReactNode {
  const load = registry.pages[node.component];
  if (load) return pageOf(load);
  const first = visibleChildren(node)[0] ?? node.children.find((child) => !child.path.includes(':'));
  if (!node.component && first) return <Navigate to={first.path} replace />;
  return (
    <NoPage title={node.name} why={`页面组件“${node.component || '未填写'}”不存在，请在菜单管理中核对“${node.name}”`} />
  );
}
