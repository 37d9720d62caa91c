import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'customer/record': () => import('./RecordPage.tsx'),
  'customer/record/detail': () => import('./RecordDetail.tsx'),
  'customer/log': () => import('./LogPage.tsx'),
  'customer/report': () => import('./ReportPage.tsx'),
  'customer/statistics': () => import('./StatisticsPage.tsx'),
};
export const fixed: FixedPage[] = [
  { path: '/customer/record/detail/:id', page: 'customer/record/detail', title: '监测记录详情' },
  { path: '/customer/report/:id', page: 'customer/report', title: '服务月报' },
];
