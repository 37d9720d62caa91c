import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/delivery': () => import('./DeliveryList.tsx'),
  'system/job': () => import('./JobPage.tsx'),
};
