import { baseline, mm, sheet, type Measure, type Page } from '../ink/measures.ts';

/** Labels to be cut: 3 by 8 on a sheet, each with a picture to be scanned. */
export interface LabelsInput {
  title: string;
  labels: readonly { picture: Uint8Array; lines: readonly string[] }[];
}
const across = 3;
const down = 8;
const size = { width: sheet.width / across, height: sheet.height / down };
const side = 26 * mm;
const margin = 5 * mm;

/** The sheets of labels; a long line is set smaller. */
export function labelPages({ labels }: LabelsInput, measure: Measure): Page[] {
  const pages: Page[] = [];
  for (const [index, { picture, lines }] of labels.entries()) {
    const at = index % (across * down);
    if (at === 0) pages.push([]);
    const [left, top] = [(at % across) * size.width + margin, Math.floor(at / across) * size.height + margin];
    const page = pages.at(-1)!;
    page.push({ kind: 'picture', x: left, y: top, width: side, height: side, bytes: picture });
    const room = size.width - side - 2.5 * margin;
    for (const [row, text] of lines.entries()) {
      const [face, wanted] = row === 0 ? (['bold', 11] as const) : (['text', 8.5] as const);
      const fits = Math.min(wanted, (wanted * room) / Math.max(1, measure(text, face, wanted)));
      page.push({
        kind: 'text',
        x: left + side + margin / 2,
        y: baseline(top + 6 + row * 15, fits),
        text,
        face,
        size: Math.max(5, fits),
        spacing: 0,
      });
    }
  }
  return pages;
}
