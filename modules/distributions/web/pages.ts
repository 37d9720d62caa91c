import type { Badge, FixedPage, Pages } from '#kernel/web/registry.ts';
import { distributionList } from '../contract/list.ts';

export const pages: Pages = {
  'document/dist': () => import('./DistListPage.tsx'),
  'document/dist/detail': () => import('./DistPage.tsx'),
};

export const fixed: FixedPage[] = [
  { path: '/document/dist/detail/:id', page: 'document/dist/detail', title: '公文分发' },
];

export const badges: Record<string, Badge> = {
  'document/dist': {
    call: distributionList,
    asked: { query: { scope: 'received', state: 0, per_page: 1 } },
    count: (reply) => (reply as { total: number }).total,
  },
};
