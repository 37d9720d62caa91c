import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'photo/list': () => import('./GalleryPage.tsx'),
  'photo/mine': () => import('./MinePage.tsx'),
  'photo/manage': () => import('./ManagePage.tsx'),
  'photo/category': () => import('./CategoryPage.tsx'),
  'photo/statistics': () => import('./StatisticsPage.tsx'),
  'photo/detail': () => import('./DetailPage.tsx'),
};

export const fixed: FixedPage[] = [{ path: '/photo/detail/:id', page: 'photo/detail', title: '照片详情' }];
