import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'document/notice': () => import('./NoticeListPage.tsx'),
  'document/notice/detail': () => import('./NoticePage.tsx'),
};
