import type { Badge, FixedPage, Pages } from '#kernel/web/registry.ts';
import { papers } from '../contract/list.ts';

export const pages: Pages = {
  'folder/index': () => import('./HomePage.tsx'),
  'folder/papers': () => import('./PapersPage.tsx'),
  'folder/category': () => import('./CategoryPage.tsx'),
  'folder/statistics': () => import('./figures/StatisticsPage.tsx'),
  'folder/collect': () => import('./CollectPage.tsx'),
  'folder/detail': () => import('./paper/PaperPage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/folder/detail/:id', page: 'folder/detail', title: '制度文件' }];

export const finders = [() => import('./find-papers.ts')];

export const badges: Record<string, Badge> = {
  'folder/index': {
    call: papers,
    asked: { query: { to_confirm: true, per_page: 1 } },
    count: (reply) => (reply as { total: number }).total,
  },
};
