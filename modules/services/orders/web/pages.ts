import type { FixedPage, HomeWidget, LoadFinder, LoadStartedActs, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'order/mine': () => import('./MyOrders.tsx'),
  'order/list': () => import('./ListPage.tsx'),
  'order/register': () => import('./RegisterPage.tsx'),
  'order/statistics': () => import('./StatisticsPage.tsx'),
  'order/detail': () => import('./DetailPage.tsx'),
  'order/task': () => import('./TaskPage.tsx'),
  'order/setting': () => import('./SettingPage.tsx'),
  'order/asset': () => import('./AssetPage.tsx'),
};
export const fixed: FixedPage[] = [
  { path: '/myOrder', page: 'order/mine', title: '我的工单' },
  { path: '/order/detail/:id', page: 'order/detail', title: '订单详情' },
];
export const finders: LoadFinder[] = [() => import('./find.ts')];
export const home: HomeWidget[] = [
  {
    key: 'orders',
    title: '我的报修',
    order: 46,
    place: 'beside',
    load: () => import('./parts/MineWidget.tsx'),
    shows: (codesAt) => codesAt('/myOrder').length > 0,
  },
];

export const starts: LoadStarts[] = [() => import('./starts.ts')];

export const startedActs: Record<string, LoadStartedActs> = { orders: () => import('./StartedActs.tsx') };
