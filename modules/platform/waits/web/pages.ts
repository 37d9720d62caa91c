import type { Pages } from '#kernel/web/registry.ts';

/** Of all kinds together, not of what waits on the page itself. */
export const badges: Pages = { todo: () => import('./TodoCount.tsx') };
