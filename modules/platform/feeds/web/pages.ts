import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = { calendar: () => import('./MinePage.tsx') };

export const fixed: FixedPage[] = [{ path: '/calendar', page: 'calendar', title: '我的日程' }];
