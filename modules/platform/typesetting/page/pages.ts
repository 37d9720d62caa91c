import { bodyItems, lineItems } from '../body.ts';
import { closing, colophon } from '../close.ts';
import type { Layout } from '../elements.ts';
import { gap, paginate, type Bound, type Item, type Slot } from './flow.ts';
import { headOf, leastMark, markSize } from '../head.ts';
import { at, widthOf } from '../ink/ink.ts';
import { annexPages } from './annexes.ts';
import { breakLines } from './lines.ts';
import { core, em, mm, pitch, size3, size4, tightness, type Ink, type Measure, type Page } from '../ink/measures.ts';
import { titleItems, titleLead } from './title.ts';

const plain = { strong: false, slanted: false, underlined: false };
const lineLead = (pitch - size3) / 2;

/** — 1 —, 7 mm below the core, on the outer side. */
function pageNumber(number: number, measure: Measure): Ink {
  const placing = { text: `— ${number} —`, face: 'song', size: size4, top: core.bottom + 7 * mm - size4 / 2 } as const;
  const width = widthOf(measure, placing);
  return at(number % 2 === 1 ? core.right - size4 - width : core.left + size4, placing);
}

/** The end of the text stays with the signature; of two lines the first may stay behind. */
const holdEnd = (items: Item[]) =>
  items.map((item, index) =>
    index >= Math.max(Math.min(1, items.length - 1), items.length - 2) ? { ...item, held: true } : item,
  );

const style = { face: 'text', size: size3, spacing: tightness } as const;

/** Title and addressees, from the top of the characters below the head. */
function openingItems(layout: Layout, measure: Measure): Item[] {
  const addressed = breakLines([{ ...plain, text: layout.mainSend, face: 'text' }], style, measure, {
    width: core.width,
    justified: false,
  });
  // An empty line separates the characters of the title and those below.
  const below = gap(1 - (titleLead + lineLead) / pitch, false);
  return [
    ...(layout.title ? [...titleItems(layout.title, measure), below] : []),
    ...lineItems(addressed, () => core.left),
  ];
}

interface Opening {
  layout: Layout;
  ink: Page;
  start: number;
  items: Item[];
}

/** Openings with more and more space for the text: the mark smaller, then the addressees in the 版记, then only the leading organisation's mark. */
function openings(layout: Layout, measure: Measure): (() => Opening)[] {
  const { head } = layout;
  const moved = { ...layout, mainSend: '', sends: [...mainSendBelow(layout), ...layout.sends] };
  const alone = head && { ...moved, head: { ...head, mark: [`${head.mark[0]!}${head.suffix}`], suffix: '' } };
  return [
    ...[1, 0.75, 0.5].map((share) => ({ layout, share })),
    ...[0.75, 0.5].map((share) => ({ layout: moved, share })),
    ...(alone ? [{ layout: alone, share: 0.5 }] : []),
  ]
    .filter(({ layout: { head: of }, share }) => !of || markSize(of.mark.length) * share >= leastMark)
    .map(({ layout: tried, share }) => () => {
      const { ink, end } = headOf(tried, measure, share);
      const start = tried.head ? end - (tried.title ? titleLead : lineLead) : end;
      return { layout: tried, ink, start, items: openingItems(tried, measure) };
    });
}

const mainSendBelow = ({ mainSend }: Layout) =>
  mainSend ? [{ label: '主送：', names: `${mainSend.replace(/：$/, '')}。` }] : [];

const said = (text: string, measure: Measure): Item[] =>
  lineItems(
    breakLines([{ ...plain, text, face: 'kai' }], style, measure, { width: core.width, justified: false }),
    () => core.left + 2 * em,
  );

/** 版记 on the back of the last sheet: below the content there, or on a page of its own if there is no space. */
function withColophon(layout: Layout, measure: Measure, pages: Page[], end: number): Set<number> {
  const last = colophon(layout, measure);
  const unnumbered = new Set<number>();
  if (last.height === 0) return unnumbered;
  const full = end + last.height > core.bottom + 1;
  // A letter in its own form has only copy recipients there.
  const printed = layout.head !== null && layout.form !== 'letter';
  if (!printed && full) pages.push([]);
  if (printed && pages.length % 2 === 1) pages.push([]);
  else if (printed && full) {
    pages.push([], []);
    // Neither an empty page nor the 版记 after it has a number.
    unnumbered.add(pages.length - 2).add(pages.length - 1);
  }
  pages.at(-1)!.push(...last.ink);
  return unnumbered;
}

/** A document on its pages, all measured in points; `counts`: the number of pages of each inserted file, which are left empty. */
export function pagesOf(layout: Layout, measure: Measure, counts: readonly number[] = []): Bound {
  const slots: Slot[] = [];
  const body = layout.bodyIsPages ? said(`（正文共 ${counts[0]} 页，附后）`, measure) : bodyItems(layout.body, measure);
  const last = closing(layout, measure);
  const rest = layout.bodyIsPages ? body : [...(last.length > 0 ? holdEnd(body) : body), ...last];
  let opening!: Opening;
  let flowed!: ReturnType<typeof paginate>;
  // The first page shows some of the text.
  for (const next of openings(layout, measure)) {
    opening = next();
    flowed = paginate([...opening.items, ...rest], opening.ink, opening.start, core, layout.head !== null);
    if (rest.length === 0 || (flowed.begins[1] ?? Number.POSITIVE_INFINITY) > opening.items.length) break;
  }
  let { end } = flowed;
  const { pages } = flowed;
  if (layout.bodyIsPages) {
    for (let index = 0; index < counts[0]!; index += 1)
      slots.push({ page: pages.push([]) - 1, file: 0, at: index, top: 0 });
    const back = paginate([...said('（此页无正文）', measure), ...last], [], core.top);
    pages.push(...back.pages);
    end = back.end;
  }
  for (const annex of layout.annexes) {
    const bound = annexPages(annex, measure, counts);
    slots.push(...bound.slots.map((slot) => ({ ...slot, page: slot.page + pages.length })));
    pages.push(...bound.pages);
    end = bound.end;
  }
  const unnumbered = withColophon(opening.layout, measure, pages, end);
  pages.forEach((page, index) => {
    // The first page of a letter has none.
    if (!unnumbered.has(index) && (index > 0 || layout.form !== 'letter')) page.push(pageNumber(index + 1, measure));
  });
  return { pages, slots };
}
