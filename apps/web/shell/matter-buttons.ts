import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { registry } from '../pages.ts';

const nothing = { default: () => null };

/** The buttons of modules for each other's matters, loaded when a page first shows one; if one cannot be loaded the page stays as it is. */
export const matterButtons = registry.matterButtons.map((load) => later(() => patiently(load).catch(() => nothing)));
