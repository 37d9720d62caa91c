import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'alumnus/list': () => import('./AlumniPage.tsx'),
};
