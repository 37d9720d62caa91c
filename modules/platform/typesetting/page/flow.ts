import { core, pitch, type Ink, type Page } from '../ink/measures.ts';

/** A part between the head and the end of a document, from top to bottom. */
export interface Item {
  height: number;
  /** Aligned to one of the 22 lines of a page. */
  onGrid: boolean;
  /** Kept on one page with the next item. */
  held?: boolean;
  /** Only space; left out at the top of a page. */
  blank?: boolean;
  draw(top: number): Ink[];
}

/** A page of a file inserted on one of ours: the file, its page, and the top position. */
export interface Slot {
  page: number;
  file: number;
  at: number;
  top: number;
}
export interface Bound {
  pages: Page[];
  slots: Slot[];
}

export const gap = (lines: number, onGrid = true): Item => ({
  height: pitch * lines,
  onGrid,
  blank: true,
  draw: () => [],
});

const nextLine = (y: number, from: number) => from + Math.ceil((y - from) / pitch - 0.01) * pitch;
const almost = 0.5;

/**
 * Distributes items on pages, the first of which is used down to `start`; returns the pages, the first item of each and the end of the last. `below`:
 * the lines of the first page are counted from its first item, below a head, not from the top of the core.
 */
export function paginate(
  items: readonly Item[],
  first: Page,
  start: number,
  area: { top: number; bottom: number } = core,
  below = false,
): { pages: Page[]; begins: number[]; end: number } {
  const pages = [first];
  const begins = [0];
  let y = start;
  let fresh = false;
  let lines = below ? null : core.top;
  const turn = (index: number) => {
    pages.push([]);
    begins.push(index);
    y = area.top;
    lines = core.top;
    fresh = true;
  };
  items.forEach((item, index) => {
    if (item.blank && fresh) return;
    if (item.onGrid) y = nextLine(y, (lines ??= y));
    if (!fresh && y + heldHeight(items, index) > area.bottom + almost) turn(index);
    if (item.blank && fresh) return;
    pages.at(-1)!.push(...item.draw(y));
    y += item.height;
    fresh = false;
  });
  return { pages, begins, end: y };
}

/** The height of an item with everything it must stay together with; of the item alone if that is more than half a page. */
function heldHeight(items: readonly Item[], index: number): number {
  let height = 0;
  for (let at = index; at < items.length; at += 1) {
    height += items[at]!.height;
    if (!items[at]!.held) break;
  }
  return height > core.height / 2 ? items[index]!.height : height;
}
