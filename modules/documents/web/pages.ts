import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'document/list': () => import('./DocumentListPage.tsx'),
  'document/detail': () => import('./DocumentPage.tsx'),
  'document/collect': () => import('./find/CollectPage.tsx'),
  'document/statistics': () => import('./statistics/StatisticsPage.tsx'),
  'document/setting': () => import('./settings/SettingPage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/document/detail/:id', page: 'document/detail', title: '公文详情' }];

export const finders = [() => import('./find/find-documents.ts')];
