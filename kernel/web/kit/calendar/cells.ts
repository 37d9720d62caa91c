import type { Picked } from '../Calendar.tsx';
import type { CalendarView } from './range.ts';

/** Free time of a resource that the keyboard can reach. */
export type Cell = Required<Picked>;

const arrows = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
export const isArrow = (key: string): boolean => arrows.includes(key);

/**
 * Returns the free cell that an arrow key leads to: along the time of a resource, or the nearest time of the next resource that has any. Without a
 * present cell it is the first; if there is none in that direction the cell stays.
 */
export function nextCell(
  cells: readonly Cell[],
  from: Cell | null,
  key: string,
  view: CalendarView,
  resources: readonly number[],
): Cell | undefined {
  const ordered = cells.toSorted(
    (a, b) => resources.indexOf(a.resource) - resources.indexOf(b.resource) || (a.start < b.start ? -1 : 1),
  );
  const here = from && ordered.find((one) => one.resource === from.resource && one.start === from.start);
  if (!here) return ordered[0];
  // Resources are columns side by side, or the lines of a day one below the other.
  const [before, after] = view === 'line' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  if (key === before || key === after) {
    const own = ordered.filter((one) => one.resource === here.resource);
    return own[own.indexOf(here) + (key === after ? 1 : -1)] ?? here;
  }
  const steps = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
  const has = resources.filter((id) => ordered.some((one) => one.resource === id));
  const other = has[has.indexOf(here.resource) + steps];
  // Compares times of day, because neighbouring columns may be days of a week.
  const minuteOf = ({ start }: Cell) => Number(start.slice(11, 13)) * 60 + Number(start.slice(14, 16));
  const away = (one: Cell) => Math.abs(minuteOf(one) - minuteOf(here));
  return ordered.filter((one) => one.resource === other).toSorted((a, b) => away(a) - away(b))[0] ?? here;
}
