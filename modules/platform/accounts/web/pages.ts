import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = { 'system/online': () => import('./online/OnlinePage.tsx') };
