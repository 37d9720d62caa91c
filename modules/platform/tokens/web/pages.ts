import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = { 'system/app_token': () => import('./TokenPage.tsx') };
