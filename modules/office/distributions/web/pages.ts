import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'document/dist': () => import('./DistListPage.tsx'),
  'document/dist/detail': () => import('./DistPage.tsx'),
};

export const fixed: FixedPage[] = [
  { path: '/document/dist/detail/:id', page: 'document/dist/detail', title: '公文分发' },
];
