import { useEffect } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import type { Dragged } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';

/** If the mover cannot be loaded, the dragged record goes back. */
function Unmoved({ onSettled }: Dragged) {
  useEffect(() => onSettled(false));
  return null;
}

/** The modules' movers for records in other modules' calendars, loaded when something is first dragged. */
export const movers = Object.fromEntries(
  Object.entries(registry.movers).map(([module, load]) => [
    module,
    later(() => patiently(load).catch(() => ({ default: Unmoved }))),
  ]),
);
