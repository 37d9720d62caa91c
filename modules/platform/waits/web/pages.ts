import type { Pages } from '#kernel/web/registry.ts';

/** Counts all kinds together, not those of the page itself. */
export const badges: Pages = { todo: () => import('./TodoCount.tsx') };
