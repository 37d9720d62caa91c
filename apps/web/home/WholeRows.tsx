import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { narrowBelow } from '#kernel/web/kit/narrow.ts';

const rowsOf = (box: HTMLElement) => [...box.querySelectorAll<HTMLElement>('li')];
/** Height in CSS pixels of the line about the remaining rows: on a phone as high as a thumb needs. */
const restHeight = () => (window.innerWidth < narrowBelow ? 44 : 28);

/** The number of rows that fit completely into a height; if not all fit, the line about the others must fit below them. */
export function rowsWithin(bottoms: readonly number[], height: number, rest: number): number {
  if ((bottoms.at(-1) ?? 0) <= height) return bottoms.length;
  return bottoms.filter((bottom) => bottom <= height - rest).length;
}

/** A card of the home page with the height of its place: rows that do not fit are shown on request, and none is cut off. */
export function WholeRows({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [rest, setRest] = useState(0);
  const [open, setOpen] = useState(false);
  const fit = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const rows = rowsOf(element);
    for (const row of rows) row.hidden = false;
    const { top } = element.getBoundingClientRect();
    const bottoms = rows.map((row) => Math.ceil(row.getBoundingClientRect().bottom - top));
    const height = element.parentElement ? roomOf(element.parentElement, element) : Infinity;
    const shown = open ? rows.length : Math.max(1, rowsWithin(bottoms, height, restHeight()));
    for (const row of rows.slice(shown)) row.hidden = true;
    setRest(rows.length - shown);
  }, [open]);
  useLayoutEffect(() => {
    fit();
    const element = box.current;
    if (!element) return undefined;
    const changed = new MutationObserver(fit);
    changed.observe(element, { childList: true, subtree: true, characterData: true });
    const resized = new ResizeObserver(fit);
    resized.observe(element);
    return () => {
      changed.disconnect();
      resized.disconnect();
    };
  }, [fit]);
  return (
    <>
      <div ref={box} className={open ? 'home-rows home-rows-all' : 'home-rows'}>
        {children}
      </div>
      {(rest > 0 || open) && (
        <button type="button" className="kit-link home-rest" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '收起' : `还有 ${rest} 项`}
        </button>
      )}
    </>
  );
}

/** Height in CSS pixels from the first row to the inner edge of the card. */
function roomOf(card: HTMLElement, rows: HTMLElement): number {
  const { paddingBottom, maxHeight } = getComputedStyle(card);
  const whole = Number.parseFloat(maxHeight);
  if (!Number.isFinite(whole)) return Infinity;
  const above = rows.getBoundingClientRect().top - card.getBoundingClientRect().top;
  return whole - above - Number.parseFloat(paddingBottom || '0');
}
