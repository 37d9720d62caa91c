import type { FixedPage, LoadFinder, LoadStarts, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'key/list': () => import('./KeysPage.tsx'),
  'key/loan': () => import('./LoansPage.tsx'),
  'key/loan/detail': () => import('./LoanPage.tsx'),
  'key/statistics': () => import('./StatisticsPage.tsx'),
};
export const fixed: FixedPage[] = [{ path: '/key/loan/:id', page: 'key/loan/detail', title: '钥匙借用详情' }];
export const finders: LoadFinder[] = [() => import('./find.ts')];
export const starts: LoadStarts[] = [() => import('./starts.ts')];
