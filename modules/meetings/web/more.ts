import type { FixedPage, Pages } from '#kernel/web/registry.ts';

/** Pages of calendars, screens, paper and figures. */
export const morePages: Pages = {
  'meet/calendar': () => import('./CalendarPage.tsx'),
  'meet/statistics': () => import('./StatisticsPage.tsx'),
  'meet/sign': () => import('./sign/SignPage.tsx'),
  'meet/screen': () => import('./sign/ScreenPage.tsx'),
  'meet/print': () => import('./one/PrintPage.tsx'),
};
export const moreFixed: FixedPage[] = [
  { path: '/meet/sign/:id', page: 'meet/sign', title: '会议签到' },
  { path: '/meet/screen/:id', page: 'meet/screen', title: '签到屏' },
  { path: '/meet/print/:id', page: 'meet/print', title: '打印会议' },
];
