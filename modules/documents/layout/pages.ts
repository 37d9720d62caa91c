import { bodyItems, lineItems } from './body.ts';
import { closing, colophon } from './close.ts';
import type { Layout } from './elements.ts';
import { gap, paginate, type Item } from './flow.ts';
import { headOf } from './head.ts';
import { at, centredOn, widthOf } from './ink.ts';
import { breakLines } from './lines.ts';
import { core, em, mm, size2, size3, size4, tightness, type Ink, type Measure, type Page } from './measures.ts';

const titleHeight = size2 * 1.5;
const plain = { strong: false, slanted: false, underlined: false };

/** The title in lines of about one length, centred; the shorter ones stand below. */
function titleItems(title: string, measure: Measure): Item[] {
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

/** A document on its pages, all measured in points. */
export function pagesOf(layout: Layout, measure: Measure): Page[] {
  const head = headOf(layout, measure);
  const style = { face: 'text', size: size3, spacing: tightness } as const;
  const addressed = breakLines([{ ...plain, text: layout.mainSend, face: 'text' }], style, measure, {
    width: core.width,
    justified: false,
  });
  const last = closing(layout, measure);
  const body = bodyItems(layout.body, measure);
  const items = [
    ...(layout.title ? [...titleItems(layout.title, measure), gap(1, false)] : []),
    ...lineItems(addressed, () => core.left),
    ...(last.length > 0 ? holdEnd(body) : body),
    ...last,
  ];
  const { pages, end } = paginate(items, head.ink, head.end);
  const end2 = colophon(layout, measure);
  if (end + end2.height > core.bottom + 1) pages.push([]);
  pages.at(-1)!.push(...end2.ink);
  pages.forEach((page, index) => {
    // The first page of a letter bears none.
    if (index > 0 || layout.form !== 'letter') page.push(pageNumber(index + 1, measure));
  });
  return pages;
}
