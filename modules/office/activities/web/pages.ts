import type { FixedPage, LoadFinder, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'activity/declare': () => import('./declare/DeclarePage.tsx'),
  'activity/list': () => import('./ListPage.tsx'),
  'activity/data': () => import('./BoardPage.tsx'),
  'activity/detail': () => import('./ActivityPage.tsx'),
  'activity/change': () => import('./ChangePage.tsx'),
  'activity/rule': () => import('./RulePage.tsx'),
};
export const fixed: FixedPage[] = [
  { path: '/activity/detail/:id', page: 'activity/detail', title: '活动详情' },
  { path: '/activity/change/:id', page: 'activity/change', title: '活动变更' },
];
export const finders: LoadFinder[] = [() => import('./find-activities.ts')];

export const starts: LoadStarts[] = [() => import('./starts.ts')];
