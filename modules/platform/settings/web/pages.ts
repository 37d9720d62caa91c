import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'system/site': () => import('./SitePage.tsx'),
  'system/interface': () => import('./InterfacePage.tsx'),
};
