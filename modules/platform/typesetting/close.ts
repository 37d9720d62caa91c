import type { Layout } from './elements.ts';
import { gap, type Item } from './page/flow.ts';
import { at, centredOn, endingAt, inkOf, widthOf } from './ink/ink.ts';
import { breakLines } from './page/lines.ts';
import { core, em, mm, pitch, size3, size4, tightness, type Face, type Ink, type Measure } from './ink/measures.ts';
import { lineItems } from './body.ts';

const style = { face: 'text', size: size3, spacing: tightness } as const;
const run = (text: string, face: Face = 'text') => ({
  text,
  face,
  strong: false,
  slanted: false,
  underlined: false,
});

/** 附件说明: one line below the text, with the names below each other. */
function attachmentItems({ attachments }: Layout, measure: Measure): Item[] {
  if (attachments.length === 0) return [];
  const label = core.left + 2 * em;
  const numbers = label + 3 * em;
  const lone = attachments.length === 1;
  return [
    { ...gap(1), held: true },
    ...attachments.flatMap((name, index): Item[] => {
      const number = lone ? '' : `${index + 1}. `;
      const x = numbers + measure(number, 'text', size3) + [...number].length * tightness;
      const lines = breakLines([run(name)], style, measure, { width: core.right - x, justified: false });
      return lineItems(lines, () => x).map((item, line) => ({
        ...item,
        held: true,
        draw: (top) => [
          ...(index + line === 0 ? [at(label, { ...style, text: '附件：', top: top + (pitch - size3) / 2 })] : []),
          ...(line === 0 && number ? [at(numbers, { ...style, text: number, top: top + (pitch - size3) / 2 })] : []),
          ...item.draw(top),
        ],
      }));
    }),
  ];
}

/** 出席, 请假 and 列席 of minutes: one line below the text, with the names below each other. */
function attendanceItems({ attendance }: Layout, measure: Measure): Item[] {
  const from = core.left + 2 * em;
  const x = from + 3 * em;
  return attendance.flatMap(({ label, names }, index): Item[] => {
    const lines = breakLines([run(names)], style, measure, { width: core.right - x, justified: false });
    const items = lineItems(lines, () => x).map((item, line) => ({
      ...item,
      draw: (top: number) => [
        ...(line === 0
          ? [at(from, { ...style, face: 'bold' as const, text: label, top: top + (pitch - size3) / 2 })]
          : []),
        ...item.draw(top),
      ],
    }));
    return index === 0 ? [gap(1), ...items] : items;
  });
}

/** Size of a seal, and the least and the largest distance between the centres of two. */
const seal = 42 * mm;
const [closest, apart] = [43.5 * mm, 52 * mm];
const linesOfSeal = 5;
const mostInRow = 3;

/** The number of organisations side by side, each under its own seal, with the last centre at `last`; and their distance. */
function seats(names: readonly number[], last: number): { count: number; step: number } {
  for (let count = Math.min(mostInRow, names.length); count > 1; count -= 1) {
    const most = Math.max(...names);
    const step = Math.min(Math.max(apart, most + em), (last - seal / 2 - core.left) / (count - 1));
    if (step >= Math.max(closest, most + em) && last - (count - 1) * step - most / 2 >= core.left)
      return { count, step };
  }
  return { count: 1, step: 0 };
}

/** 署名 above the 成文日期, which ends four characters from the right; with space for the seals, which never touch each other. */
function signatureItems({ form, signatures, date }: Layout, measure: Measure): Item[] {
  if (signatures.length === 0 && !date) return [];
  if (form === 'order') return orderSignature(signatures, date, measure);
  const inner = core.right - 2 * em;
  const dated = widthOf(measure, { ...style, text: date || '2026年10月10日' });
  const names = signatures.map((text) => widthOf(measure, { ...style, text }));
  const middle = Math.min(core.right - 4 * em - dated / 2, inner - Math.max(0, ...names) / 2);
  const { count, step } = seats(names, middle);
  const rows = Array.from({ length: Math.ceil(signatures.length / count) }, (_, row) =>
    signatures.slice(row * count, (row + 1) * count),
  );
  const line = (texts: readonly string[]): Item => ({
    height: pitch,
    onGrid: true,
    held: true,
    draw: (top) =>
      texts.map((text, at) =>
        centredOn(measure, middle - (texts.length - 1 - at) * step, { ...style, text, top: top + (pitch - size3) / 2 }),
      ),
  });
  const between = { ...gap(linesOfSeal - 1), held: true };
  // A page may end between two rows of seals, the last of which stays with the date.
  const signed = rows.flatMap((row, at) => [
    ...(at === 0 ? [] : [between]),
    at === rows.length - 1 ? line(row) : { ...line(row), held: false },
  ]);
  return [{ ...gap(2), held: true }, ...signed, ...(date ? [{ ...line([date]), held: false }] : [])];
}

/** The signer of an order, and the date one line below, both four characters from the right. */
function orderSignature(signatures: readonly string[], date: string, measure: Measure): Item[] {
  const line = (text: string, held: boolean): Item => ({
    height: pitch,
    onGrid: true,
    held,
    draw: (top) => [endingAt(measure, core.right - 4 * em, { ...style, text, top: top + (pitch - size3) / 2 })],
  });
  return [
    { ...gap(2), held: true },
    ...signatures.map((text) => line(text, true)),
    { ...gap(1), held: true },
    line(date, false),
  ];
}

/** The items after the text: attachments, signature, date, note. The end of the text stays with the signature. */
export function closing(layout: Layout, measure: Measure): Item[] {
  const note = layout.annotation
    ? lineItems(
        breakLines([run(layout.annotation)], style, measure, { width: core.width - 2 * em, justified: false }),
        () => core.left + 2 * em,
      )
    : [];
  return [
    ...attachmentItems(layout, measure),
    ...attendanceItems(layout, measure),
    ...signatureItems(layout, measure),
    ...note,
  ];
}

const small = { face: 'text', size: size4, spacing: 0 } as const;
const step = size4 * 1.6;
const [thick, thin] = [0.35 * mm, 0.25 * mm];

/** 版记: its height, and its ink with the last line at the bottom of the core. */
export function colophon(layout: Layout, measure: Measure): { height: number; ink: Ink[] } {
  const left = core.left + size4;
  const right = core.right - size4;
  const sends = layout.sends.map(({ label, names }) => {
    const hanging = measure(label, 'text', size4);
    const width = right - left - hanging;
    return { label, hanging, lines: breakLines([run(names)], small, measure, { width, justified: false }) };
  });
  const printed = layout.printOrg || layout.printDate ? 1 : 0;
  const total = sends.reduce((sum, { lines }) => sum + lines.length, 0);
  const height = (total + printed) * step;
  if (height === 0) return { height, ink: [] };
  const top = core.bottom - height;
  const rule = (y: number, thickness: number): Ink => ({
    kind: 'rule',
    x: core.left,
    toX: core.right,
    y,
    toY: y,
    thickness,
  });
  const lineTop = (line: number) => top + line * step + (step - size4) / 2;
  // A letter has no lines there.
  const ink: Ink[] = layout.form === 'letter' ? [] : [rule(top, thick), rule(core.bottom, thick)];
  let row = 0;
  for (const { label, hanging, lines } of sends) {
    if (row > 0 && layout.form !== 'letter') ink.push(rule(top + row * step, thin));
    ink.push(at(left, { ...small, text: label, top: lineTop(row) }));
    for (const [index, line] of lines.entries())
      ink.push(...inkOf(line, { x: left + hanging, top: lineTop(row + index), size: size4, spacing: 0 }));
    row += lines.length;
  }
  const last = { ...small, top: lineTop(total) };
  if (total > 0 && printed) ink.push(rule(top + total * step, thin));
  if (layout.printOrg) ink.push(at(left, { ...last, text: layout.printOrg }));
  if (layout.printDate) ink.push(endingAt(measure, right, { ...last, text: layout.printDate }));
  return { height, ink };
}
