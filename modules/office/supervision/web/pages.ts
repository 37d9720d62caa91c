import type { FixedPage, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'supervise/list': () => import('./SupervisePage.tsx'),
  'supervise/task': () => import('./TaskPage.tsx'),
  'supervise/statistics': () => import('./StatisticsPage.tsx'),
  'supervise/detail': () => import('./DetailPage.tsx'),
};
export const fixed: FixedPage[] = [{ path: '/supervise/detail/:id', page: 'supervise/detail', title: '督办详情' }];
/** 转督办 */
export const matterButtons = [() => import('./RaiseButton.tsx')];
export const finders = [() => import('./find.ts')];

export const starts: LoadStarts[] = [() => import('./starts.ts')];
