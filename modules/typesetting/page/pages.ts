import { bodyItems, lineItems } from '../body.ts';
import { closing, colophon } from '../close.ts';
import type { Layout } from '../elements.ts';
import { gap, paginate, type Item } from './flow.ts';
import { headOf } from '../head.ts';
import { at, centredOn, widthOf } from '../ink/ink.ts';
import { breakLines } from './lines.ts';
import { core, em, mm, size2, size3, size4, tightness, type Ink, type Measure, type Page } from '../ink/measures.ts';

const titleHeight = size2 * 1.5;
const plain = { strong: false, slanted: false, underlined: false };

/** The title in lines of about one length, centred; the shorter ones stand below. */
export function titleItems(title: string, measure: Measure): Item[] {
  const width = core.width - 2 * em;
  const style = { face: 'title', size: size2, spacing: 0 } as const;
  const broken = (room: number) =>
    breakLines([{ ...plain, text: title, face: 'title' }], style, measure, { width: room, justified: false });
  const rows = broken(width).length;
  const even = Math.max(measure(title, 'title', size2) / rows + size2, size2 * 6);
  const lines = rows > 1 && broken(even).length === rows ? broken(even) : broken(width);
  return lines.map((line) => ({
    height: titleHeight,
    onGrid: false,
    held: true,
    draw: (top) => [
      centredOn(measure, core.left + core.width / 2, {
        text: line.pieces.map((piece) => piece.text).join(''),
        face: 'title',
        size: size2,
        top: top + (titleHeight - size2) / 2,
      }),
    ],
  }));
}

/** — 1 —, 7 mm below the core, on the outer side. */
function pageNumber(number: number, measure: Measure): Ink {
  const placing = { text: `— ${number} —`, face: 'song', size: size4, top: core.bottom + 7 * mm - size4 / 2 } as const;
  const width = widthOf(measure, placing);
  return at(number % 2 === 1 ? core.right - size4 - width : core.left + size4, placing);
}

/** The end of the text is not left behind by the signature. */
const holdEnd = (items: Item[]) =>
  items.map((item, index) => (index >= items.length - 2 ? { ...item, held: true } : item));

const style = { face: 'text', size: size3, spacing: tightness } as const;

/** Title and addressees. */
function openingItems(layout: Layout, measure: Measure): Item[] {
  const addressed = breakLines([{ ...plain, text: layout.mainSend, face: 'text' }], style, measure, {
    width: core.width,
    justified: false,
  });
  return [
    ...(layout.title ? [...titleItems(layout.title, measure), gap(1, false)] : []),
    ...lineItems(addressed, () => core.left),
  ];
}

/** 版记 below what ends there, on a page of its own where there is no room. */
function withColophon(layout: Layout, measure: Measure, { pages, end }: { pages: Page[]; end: number }): Page[] {
  const last = colophon(layout, measure);
  if (end + last.height > core.bottom + 1) pages.push([]);
  pages.at(-1)!.push(...last.ink);
  return pages;
}

function numbered(pages: Page[], layout: Layout, measure: Measure): Page[] {
  pages.forEach((page, index) => {
    // The first page of a letter bears none.
    if (index > 0 || layout.form !== 'letter') page.push(pageNumber(index + 1, measure));
  });
  return pages;
}

/** A document on its pages, all measured in points. */
export function pagesOf(layout: Layout, measure: Measure): Page[] {
  const head = headOf(layout, measure);
  const last = closing(layout, measure);
  const body = bodyItems(layout.body, measure);
  const items = [...openingItems(layout, measure), ...(last.length > 0 ? holdEnd(body) : body), ...last];
  return numbered(withColophon(layout, measure, paginate(items, head.ink, head.end)), layout, measure);
}

const said = (text: string, measure: Measure): Item[] =>
  lineItems(
    breakLines([{ ...plain, text, face: 'kai' }], style, measure, { width: core.width, justified: false }),
    () => core.left + 2 * em,
  );

/** The pages that stand around so many others, which are left empty but for their numbers; `from`: the first of those, counted from 0. */
export function pagesAround(layout: Layout, measure: Measure, count: number): { pages: Page[]; from: number } {
  const head = headOf(layout, measure);
  const opening = [...openingItems(layout, measure), ...said(`（正文共 ${count} 页，附后）`, measure)];
  const front = paginate(opening, head.ink, head.end).pages;
  const last = [...said('（此页无正文）', measure), ...closing(layout, measure)];
  const back = withColophon(layout, measure, paginate(last, [], core.top));
  const between = Array.from({ length: count }, (): Page => []);
  return { pages: numbered([...front, ...between, ...back], layout, measure), from: front.length };
}
