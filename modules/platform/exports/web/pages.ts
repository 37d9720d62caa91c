import type { FixedPage, Pages } from '#kernel/web/registry.ts';

export const pages: Pages = { exports: () => import('./ExportsPage.tsx') };

export const fixed: FixedPage[] = [{ path: '/exports', page: 'exports', title: '我的导出' }];
