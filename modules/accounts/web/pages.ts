import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = { 'user/profile': () => import('./ProfilePage.tsx') };

export const fixed: FixedPage[] = [{ path: '/user/profile', page: 'user/profile', title: '个人中心' }];
