import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  msg: () => import('./MessagePage.tsx'),
  'msg/send': () => import('./NoticePage.tsx'),
};
