import type { Badge, Pages } from '#kernel/web/registry.ts';
import { distributionList } from '../contract/list.ts';

export const pages: Pages = {
  'document/dist': () => import('./DistListPage.tsx'),
  'document/dist/detail': () => import('./DistPage.tsx'),
};

export const badges: Record<string, Badge> = {
  'document/dist': {
    call: distributionList,
    asked: { query: { scope: 'received', state: 0, per_page: 1 } },
    count: (reply) => (reply as { total: number }).total,
  },
};
