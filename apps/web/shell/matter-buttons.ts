import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { registry } from '../pages.ts';

const nothing = { default: () => null };

/** What the modules make of matters of each other, each fetched when a page first shows one; one that does not come leaves the page as it is. */
export const matterButtons = registry.matterButtons.map((load) => later(() => patiently(load).catch(() => nothing)));
