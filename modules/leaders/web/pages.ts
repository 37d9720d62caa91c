import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'leader/list': () => import('./SchedulesPage.tsx'),
  'leader/index': () => import('./board/BoardPage.tsx'),
  'leader/detail': () => import('./SchedulePage.tsx'),
  'leader/statistics': () => import('./StatisticsPage.tsx'),
};
export const fixed: FixedPage[] = [{ path: '/schedule/detail/:id', page: 'leader/detail', title: '日程详情' }];
export const finders = [() => import('./find-schedules.ts')];
