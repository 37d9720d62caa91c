import { bodyItems } from '../body.ts';
import type { SetAnnex } from '../elements.ts';
import { at } from '../ink/ink.ts';
import { core, pitch, size3, tightness, type Measure } from '../ink/measures.ts';
import { gap, paginate, type Bound, type Item } from './flow.ts';
import { titleItems } from './title.ts';

const label = (text: string): Item => ({
  height: pitch,
  onGrid: true,
  held: true,
  draw: (top) => [
    at(core.left, { text, face: 'bold', size: size3, spacing: tightness, top: top + (pitch - size3) / 2 }),
  ],
});

/** An attachment on pages of its own: its number in 黑体 in the first line, its title in the third, or its own pages, the first of them below its number. */
export function annexPages(annex: SetAnnex, measure: Measure, counts: readonly number[]): Bound & { end: number } {
  if ('pdf' in annex) {
    const pages = Array.from({ length: counts[annex.pdf]! }, (_, page) =>
      page === 0 ? label(annex.label).draw(core.top) : [],
    );
    const slots = pages.map((_, page) => ({ page, file: annex.pdf, at: page, top: page === 0 ? core.top + pitch : 0 }));
    return { pages, slots, end: core.bottom };
  }
  const items = [
    label(annex.label),
    { ...gap(1), held: true, blank: false },
    ...titleItems(annex.name, measure),
    gap(1),
    ...bodyItems(annex.body, measure),
  ];
  const { pages, end } = paginate(items, [], core.top);
  return { pages, slots: [], end };
}
