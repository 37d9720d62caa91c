import { useEffect } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import type { Dragged } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';

/** Where the part that moves did not come, what was dragged goes back. */
function Unmoved({ onSettled }: Dragged) {
  useEffect(() => onSettled(false));
  return null;
}

/** What moves records of the modules in calendars of each other, each fetched when something is first dragged. */
export const movers = Object.fromEntries(
  Object.entries(registry.movers).map(([module, load]) => [
    module,
    later(() => patiently(load).catch(() => ({ default: Unmoved }))),
  ]),
);
