import type { Layout } from './elements.ts';
import { at, centredOn, endingAt, widthOf } from './ink.ts';
import { core, em, mm, pitch, size3, tightness, type Ink, type Measure, type Page } from './measures.ts';

const middle = core.left + core.width / 2;
/** The mark begins 35 mm below the top of the core. */
const markTop = core.top + 35 * mm;
const tallest = 22 * mm;
const widest = core.width - 2 * em;
const body = { face: 'text', size: size3, spacing: tightness } as const;
const lineTop = (line: number) => core.top + line * pitch + (pitch - size3) / 2;

/** 版头: what stands above the red line, and where the title may begin. */
export function headOf(layout: Layout, measure: Measure): { ink: Page; end: number } {
  const ink: Ink[] = [];
  const corner = [
    layout.copyNo && { text: layout.copyNo, face: 'text' as const },
    layout.secrecy && { text: layout.secrecy, face: 'bold' as const },
    layout.urgency && { text: layout.urgency, face: 'bold' as const },
  ].filter((one) => one !== '');
  corner.forEach(({ text, face }, line) => ink.push(at(core.left, { ...body, text, face, top: lineTop(line) })));
  if (!layout.head) return { ink, end: core.top + corner.length * pitch };
  const marked = markOf(layout.head, measure);
  ink.push(...marked.ink);
  const numbered = numberLine(layout, measure, marked.end + 2 * pitch);
  ink.push(...numbered.ink);
  const line = numbered.end + 4 * mm;
  ink.push(...separator(layout.head, line));
  return { ink, end: line + 2 * pitch };
}

function markOf({ mark, suffix, colour }: NonNullable<Layout['head']>, measure: Measure): { ink: Ink[]; end: number } {
  const style = { face: 'title', colour } as const;
  const size = mark.length > 1 ? Math.min(tallest, (80 * mm) / mark.length) : tallest;
  const suffixRoom = suffix ? 2.6 : 0;
  const longest = Math.max(...mark.map((text) => measure(text, 'title', 1)));
  const fit = Math.min(size, widest / (longest + suffixRoom));
  // A short mark is spread a little, as it is on printed heads.
  const characters = Math.max(...mark.map((text) => [...text].length));
  const spare = (widest - (longest + suffixRoom) * fit) / Math.max(1, characters - 1);
  const spacing = Math.min(fit * 0.15, Math.max(0, spare));
  const width = longest * fit + (characters - 1) * spacing;
  const left = middle - (width + suffixRoom * fit) / 2;
  const step = fit * 1.3;
  const ink: Ink[] = mark.map((text, line) => {
    // Organisations that issue together have marks of one width.
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

/** 发文字号, and beside it who signs where it goes upward. */
function numberLine({ docNumber, issuers }: Layout, measure: Measure, top: number): { ink: Ink[]; end: number } {
  const number = { ...body, text: docNumber };
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
