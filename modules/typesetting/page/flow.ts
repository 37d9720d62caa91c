import { core, pitch, type Ink, type Page } from '../ink/measures.ts';

/** What stands between the head and the end of a document, from top to bottom. */
export interface Item {
  height: number;
  /** Begins on one of the 22 lines of a page. */
  onGrid: boolean;
  /** Stays on one page with what follows. */
  held?: boolean;
  /** Only room; left out where a page begins. */
  blank?: boolean;
  draw(top: number): Ink[];
}

export const gap = (lines: number, onGrid = true): Item => ({
  height: pitch * lines,
  onGrid,
  blank: true,
  draw: () => [],
});

const nextLine = (y: number) => core.top + Math.ceil((y - core.top) / pitch - 0.01) * pitch;
const almost = 0.5;

/** Puts items on pages, the first of which is used down to `start`; answers the pages and where the last one ends. */
export function paginate(
  items: readonly Item[],
  first: Page,
  start: number,
  area: { top: number; bottom: number } = core,
): { pages: Page[]; end: number } {
  const pages = [first];
  let y = start;
  let fresh = false;
  const turn = () => {
    pages.push([]);
    y = area.top;
    fresh = true;
  };
  items.forEach((item, index) => {
    if (item.blank && fresh) return;
    if (item.onGrid) y = nextLine(y);
    if (!fresh && y + heldHeight(items, index) > area.bottom + almost) turn();
    if (item.blank && fresh) return;
    pages.at(-1)!.push(...item.draw(y));
    y += item.height;
    fresh = false;
  });
  return { pages, end: y };
}

/** Of an item with all that it must not be parted from; of itself alone where that is more than half a page. */
function heldHeight(items: readonly Item[], index: number): number {
  let height = 0;
  for (let at = index; at < items.length; at += 1) {
    height += items[at]!.height;
    if (!items[at]!.held) break;
  }
  return height > core.height / 2 ? items[index]!.height : height;
}
