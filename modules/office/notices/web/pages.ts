import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'document/notice': () => import('./NoticeListPage.tsx'),
  'document/notice/detail': () => import('./NoticePage.tsx'),
};

export const fixed: FixedPage[] = [
  { path: '/document/notice/detail/:id', page: 'document/notice/detail', title: '公文通知' },
];
