import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = { 'user/profile': () => import('./ProfilePage.tsx') };
