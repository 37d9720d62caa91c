import type { FixedPage, HomeWidget, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'leader/list': () => import('./SchedulesPage.tsx'),
  'leader/index': () => import('./board/BoardPage.tsx'),
  'leader/detail': () => import('./SchedulePage.tsx'),
  'leader/statistics': () => import('./StatisticsPage.tsx'),
};
export const fixed: FixedPage[] = [{ path: '/schedule/detail/:id', page: 'leader/detail', title: '日程详情' }];
export const home: HomeWidget[] = [
  {
    key: 'leaders-today',
    title: '领导今日日程',
    order: 20,
    place: 'beside',
    load: async () => ({ default: (await import('./board/MyDay.tsx')).Today }),
    shows: (codesAt) => codesAt('/schedule/leader').includes('chuli'),
  },
  {
    key: 'leaders-mine',
    title: '我的日程',
    order: 25,
    place: 'beside',
    load: async () => ({ default: (await import('./board/MyDay.tsx')).Mine }),
    shows: (codesAt) => codesAt('/schedule/index').length > 0,
  },
];
/** The badge of 日程管理: the number of leaders' schedules that wait for me. */
const schedules = () => import('./board/ScheduleBadge.tsx');
/** Badges of the schedules menu and of its list. */
export const badges = { leader: schedules, 'leader/list': schedules };
export const finders = [() => import('./find-schedules.ts')];

export const starts: LoadStarts[] = [() => import('./starts.ts')];
