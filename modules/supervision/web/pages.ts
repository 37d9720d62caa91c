import type { FixedPage, HomeWidget, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'supervise/list': () => import('./SupervisePage.tsx'),
  'supervise/task': () => import('./TaskPage.tsx'),
  'supervise/statistics': () => import('./StatisticsPage.tsx'),
  'supervise/detail': () => import('./DetailPage.tsx'),
};
export const fixed: FixedPage[] = [{ path: '/supervise/detail/:id', page: 'supervise/detail', title: '督办详情' }];
export const home: HomeWidget[] = [
  {
    key: 'supervision',
    title: '督办',
    order: 45,
    width: 'half',
    load: () => import('./MyTasks.tsx'),
    shows: (codesAt) => codesAt('/supervise/task').length > 0 || codesAt('/supervise/list').length > 0,
  },
];
export const finders = [() => import('./find.ts')];
