import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'folder/index': () => import('./HomePage.tsx'),
  'folder/papers': () => import('./PapersPage.tsx'),
  'folder/category': () => import('./CategoryPage.tsx'),
  'folder/statistics': () => import('./StatisticsPage.tsx'),
  'folder/collect': () => import('./CollectPage.tsx'),
  'folder/detail': () => import('./paper/PaperPage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/folder/detail/:id', page: 'folder/detail', title: '制度文件' }];

export const finders = [() => import('./find-papers.ts')];
