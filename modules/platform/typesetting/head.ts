import type { Layout } from './elements.ts';
import { at, centredOn, endingAt, widthOf } from './ink/ink.ts';
import { core, em, mm, pitch, sheet, size3, tightness, type Ink, type Measure, type Page } from './ink/measures.ts';

const middle = core.left + core.width / 2;
/** The top of the mark: measured from the core, for a letter from the sheet. */
const markTops = {
  document: core.top + 35 * mm,
  minutes: core.top + 35 * mm,
  order: core.top + 20 * mm,
  letter: 30 * mm,
};
const tallest = 22 * mm;
/** The head of a letter is low, so that its line keeps clear of the text. */
const tallestOfLetter = 13 * mm;
const widest = core.width - 2 * em;
/** Height of both lines of a letter together. */
const doubleHeight = 3.35;
/** The total height of the marks of joint issuers, and the smallest size of one. */
const tallestTogether = 80 * mm;
export const leastMark = 5 * mm;
const body = { face: 'text', size: size3, spacing: tightness } as const;
const lineTop = (line: number) => core.top + line * pitch + (pitch - size3) / 2;

/** 版头: everything above the red line, and the position of the characters below it. `share`: the fraction of the height that the mark may use. */
export function headOf(layout: Layout, measure: Measure, share = 1): { ink: Page; end: number } {
  const ink: Ink[] = [];
  const corner = [
    layout.copyNo && { text: layout.copyNo, face: 'text' as const },
    layout.secrecy && { text: layout.secrecy, face: 'bold' as const },
    layout.urgency && { text: layout.urgency, face: 'bold' as const },
  ].filter((one) => one !== '');
  const cornerAt = (topOf: (line: number) => number) =>
    corner.forEach(({ text, face }, line) => ink.push(at(core.left, { ...body, text, face, top: topOf(line) })));
  if (layout.head && layout.form === 'letter') {
    const marked = markOf(layout.head, measure, markTops.letter, tallestOfLetter * share);
    const line = marked.end + 4 * mm;
    const first = line + doubleHeight + size3 * 0.875;
    cornerAt((row) => first + row * pitch);
    const { colour } = layout.head;
    ink.push(...marked.ink, ...doubled(line, 'thick over thin', colour));
    ink.push(...doubled(sheet.height - 20 * mm, 'thin over thick', colour));
    if (layout.docNumber) ink.push(endingAt(measure, core.right, { ...body, text: layout.docNumber, top: first }));
    const rows = Math.max(corner.length, layout.docNumber ? 1 : 0);
    return { ink, end: first + (rows - 1) * pitch + size3 + 2 * pitch };
  }
  cornerAt(lineTop);
  if (!layout.head) return { ink, end: core.top + corner.length * pitch };
  const marked = markOf(layout.head, measure, markTops[layout.form], tallest * share);
  ink.push(...marked.ink);
  if (layout.form === 'order') {
    const top = marked.end + 2 * pitch;
    ink.push(centredOn(measure, middle, { ...body, text: layout.docNumber, top }));
    return { ink, end: top + size3 + 2 * pitch };
  }
  const numbered = numberLine(layout, measure, marked.end + 2 * pitch);
  ink.push(...numbered.ink);
  const line = numbered.end + 4 * mm;
  ink.push(...separator(layout.head, line));
  return { ink, end: line + 2 * pitch };
}

/** The size for this number of organisations, if a single one may have the height `most`. */
export const markSize = (count: number, most = tallest) =>
  count > 1 ? Math.min(most, (tallestTogether * most) / tallest / count) : most;

function markOf(
  { mark, suffix, colour }: NonNullable<Layout['head']>,
  measure: Measure,
  markTop: number,
  most = tallest,
): { ink: Ink[]; end: number } {
  const style = { face: 'title', colour } as const;
  const size = markSize(mark.length, most);
  const suffixRoom = suffix ? 2.6 : 0;
  const longest = Math.max(...mark.map((text) => measure(text, 'title', 1)));
  const fit = Math.min(size, widest / (longest + suffixRoom));
  // A short mark is spread a little, as on printed letterheads.
  const characters = Math.max(...mark.map((text) => [...text].length));
  const spare = (widest - (longest + suffixRoom) * fit) / Math.max(1, characters - 1);
  const spacing = Math.min(fit * 0.15, Math.max(0, spare));
  const width = longest * fit + (characters - 1) * spacing;
  const left = middle - (width + suffixRoom * fit) / 2;
  const step = fit * 1.3;
  const ink: Ink[] = mark.map((text, line) => {
    // Joint issuers have marks of the same width.
    const own = [...text].length;
    const apart = mark.length > 1 && own > 1 ? (width - measure(text, 'title', fit)) / (own - 1) : spacing;
    return at(left, { ...style, text, size: fit, top: markTop + line * step, spacing: apart });
  });
  const end = markTop + (mark.length - 1) * step + fit;
  if (suffix) {
    const top = (markTop + end) / 2 - fit / 2;
    ink.push(at(left + width + 0.4 * fit, { ...style, text: suffix, size: fit, top, spacing: 0.1 * fit }));
  }
  return { ink, end };
}

/** 发文字号, and beside it the signer of an upward document. */
function numberLine(
  { form, docNumber, issuers, issuedBy, issuedOn }: Layout,
  measure: Measure,
  top: number,
): { ink: Ink[]; end: number } {
  const number = { ...body, text: docNumber };
  if (form === 'minutes') {
    // Minutes are dated here and not below their text: the issuer on the left, the date on the right.
    const under = docNumber ? top + pitch : top;
    return {
      ink: [
        ...(docNumber ? [centredOn(measure, middle, { ...number, top })] : []),
        at(core.left + em, { ...body, text: issuedBy, top: under }),
        endingAt(measure, core.right - em, { ...body, text: issuedOn, top: under }),
      ],
      end: under + size3,
    };
  }
  if (issuers.length === 0) return { ink: [centredOn(measure, middle, { ...number, top })], end: top + size3 };
  const rows = Array.from({ length: Math.ceil(issuers.length / 2) }, (_, row) => issuers.slice(row * 2, row * 2 + 2));
  const right = core.right - em;
  const names = rows.map((row) => row.join('　'));
  const width = Math.max(...names.map((text) => widthOf(measure, { ...body, face: 'kai', text })));
  const label = { ...body, text: '签发人：' };
  const ink: Ink[] = [endingAt(measure, right - width, { ...label, top })];
  names.forEach((text, row) => ink.push(at(right - width, { ...body, face: 'kai', text, top: top + row * pitch })));
  const last = top + (rows.length - 1) * pitch;
  ink.push(at(core.left + em, { ...number, top: last }));
  return { ink, end: last + size3 };
}

/** The red double line of a letter, 170 mm long and centred. */
function doubled(y: number, which: 'thick over thin' | 'thin over thick', colour: string): Ink[] {
  const [from, to] = [sheet.width / 2 - 85 * mm, sheet.width / 2 + 85 * mm];
  const [first, second] = which === 'thick over thin' ? [2, 0.7] : [0.7, 2];
  return [
    { kind: 'rule', x: from, toX: to, y, toY: y, thickness: first, colour },
    { kind: 'rule', x: from, toX: to, y: y + 3, toY: y + 3, thickness: second, colour },
  ];
}

function separator({ colour, line }: NonNullable<Layout['head']>, y: number): Ink[] {
  const rule = (top: number, thickness: number, from = core.left, to = core.right): Ink => ({
    kind: 'rule',
    x: from,
    toX: to,
    y: top,
    toY: top,
    thickness,
    colour,
  });
  if (line === 2) return [rule(y, 2), rule(y + 3, 0.7)];
  if (line === 3) {
    const star = 14;
    return [
      rule(y, 1.2, core.left, middle - star),
      rule(y, 1.2, middle + star, core.right),
      at(middle - 9, { text: '★', face: 'title', size: 18, top: y - 9, colour }),
    ];
  }
  return [rule(y, 1.2)];
}
