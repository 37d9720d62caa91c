import type { FixedPage, HomeWidget, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'leader/duty': () => import('./DutyPage.tsx'),
  'leader/duty/detail': () => import('./ShiftPage.tsx'),
};

/** Everybody may read rosters; a shift, only its people. */
export const fixed: FixedPage[] = [
  { path: '/schedule/duty', page: 'leader/duty', title: '值班安排' },
  { path: '/schedule/duty/detail/:id', page: 'leader/duty/detail', title: '值班详情' },
];

export const home: HomeWidget[] = [
  {
    key: 'duty-today',
    title: '今日值班',
    order: 17,
    place: 'beside',
    load: () => import('./Today.tsx'),
    shows: () => true,
  },
];
