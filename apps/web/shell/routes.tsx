import { lazy } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Link, Navigate, matchPath, useParams } from 'react-router';
import type { RouteObject } from 'react-router';
import { EmptyState } from '#kernel/web/kit/EmptyState.tsx';
import type { LoadPage, Pages } from '#kernel/web/registry.ts';
import { isExternal, visibleChildren } from './menu.ts';
import type { Menu, MenuNode } from './menu.ts';
import { Redirect } from './Redirect.tsx';

const lazyPages = new Map<LoadPage, ComponentType>();

function pageOf(load: LoadPage): ReactNode {
  let Page = lazyPages.get(load);
  if (!Page) {
    Page = lazy(load);
    lazyPages.set(load, Page);
  }
  return (
    <Numbered>
      <Page />
    </Numbered>
  );
}

function Absent() {
  return <EmptyState why="您访问的页面不存在，或您没有查看权限" next={<Link to="/index">返回首页</Link>} />;
}

/** No page asks for a record by what cannot be its number. */
function Numbered({ children }: { children: ReactNode }) {
  const { id } = useParams();
  return id === undefined || /^\d{1,9}$/.test(id) ? children : <Absent />;
}

/** The route table: the fixed routes, then one for each menu entry, bound to its page component by name. */
export function routesOf(menu: Menu, pages: Pages): RouteObject[] {
  const routes: RouteObject[] = [
    { path: '/', element: <Navigate to="/index" replace /> },
    { path: '/redirect/*', element: <Redirect /> },
    { path: '/404', element: <Absent /> },
    {
      path: '/401',
      element: <EmptyState why="您没有访问该页面的权限，请联系管理员开通" next={<Link to="/index">返回首页</Link>} />,
    },
    { path: '*', element: <Navigate to="/404" replace /> },
  ];
  for (const [path, name] of fixedPages) {
    const load = pages[name];
    if (load) routes.push({ path, element: pageOf(load) });
  }
  const fixed = new Set(fixedPages.map(([path]) => path));
  for (const node of menu.all) {
    if (isExternal(node.path) || fixed.has(node.path)) continue;
    routes.push({ path: node.path, element: elementOf(node, pages) });
  }
  return routes;
}

/** Routes that exist whatever the menu says, where their module is built. */
const fixedPages: [path: string, component: string, title: string][] = [
  ['/index', 'index', '首页'],
  ['/msg', 'msg', '消息'],
  ['/user/profile', 'user/profile', '个人中心'],
  // Whoever takes part in a ticket may open it: the server decides by the ticket, not by the menu.
  ['/ticket/detail/:id', 'ticket/detail', '工单详情'],
  ['/folder/detail/:id', 'folder/detail', '制度文件'],
  ['/document/detail/:id', 'document/detail', '公文详情'],
  ['/document/dist/detail/:id', 'document/dist/detail', '公文分发'],
  ['/document/notice/detail/:id', 'document/notice/detail', '公文通知'],
];

/** Title of a fixed route, where the menu has none. */
export function fixedTitle(path: string): string | undefined {
  return fixedPages.find(([pattern]) => matchPath(pattern, path))?.[2];
}

function elementOf(node: MenuNode, pages: Pages): ReactNode {
  const load = pages[node.component];
  if (load) return pageOf(load);
  const first = visibleChildren(node)[0] ?? node.children.find((child) => !child.path.includes(':'));
  if (!node.component && first) return <Navigate to={first.path} replace />;
  return <EmptyState why={`页面组件“${node.component || '未填写'}”不存在，请在菜单管理中核对“${node.name}”`} />;
}
