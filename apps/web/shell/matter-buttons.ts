import { later } from '#kernel/web/later.tsx';
import { registry } from '../pages.ts';

/** What the modules make of matters of each other, each fetched when a page first shows one. */
export const matterButtons = registry.matterButtons.map((load) => later(load));
