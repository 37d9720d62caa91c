import type { Pages } from '#kernel/web/registry.ts';

/** Pages of calendars, screens and figures. */
export const morePages: Pages = {};
