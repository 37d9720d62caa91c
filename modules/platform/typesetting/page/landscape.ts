import { centredOn } from '../ink/ink.ts';
import type { TableInput } from '../input.ts';
import { mm, sheet, type Measure, type Page } from '../ink/measures.ts';
import { boxItems } from '../table.ts';
import { paginate, type Item } from './flow.ts';
import { box } from './sheet.ts';

const margin = 12 * mm;
const width = sheet.height - 2 * margin;
const area = { top: margin, bottom: sheet.width - margin - 5 * mm };
/** Sizes to try, the largest first; below the last the table continues on further pages. */
const sizes = [12, 11, 10.5, 10, 9.5, 9, 8.5, 8];

/** A table on A4 landscape: its heading on every page, its rows never split. */
export function landscapePages({ title, under, head, widths, rows, foot }: TableInput, measure: Measure): Page[] {
  const middle = sheet.height / 2;
  const share = width / widths.reduce((sum, each) => sum + each, 0);
  const columns = widths.map((each) => each * share);
  const heading: Item = {
    height: 46,
    onGrid: false,
    held: true,
    draw: (top) => [
      centredOn(measure, middle, { text: title, face: 'title', size: 20, top }),
      centredOn(measure, middle, { text: under, face: 'text', size: 10, top: top + 28 }),
    ],
  };
  const signing: Item[] = foot
    ? [
        {
          height: 34,
          onGrid: false,
          draw: (top) => [centredOn(measure, middle, { text: foot, face: 'text', size: 11, top: top + 16 })],
        },
      ]
    : [];
  const set = (size: number): Page[] => {
    const above = head.map((text, column) => box(column, text, { head: true }));
    const body = rows.map((row) => row.map((text, column) => box(column, text, { head: column === 0 })));
    const options = { left: margin, size };
    const top = boxItems([above], columns, measure, options)[0]!;
    const inner = { top: margin + top.height, bottom: area.bottom };
    const { pages } = paginate(
      [...boxItems(body, columns, measure, options), ...signing],
      [],
      margin + heading.height + top.height,
      inner,
    );
    return pages.map((page, index) => [
      ...(index === 0 ? [...heading.draw(margin), ...top.draw(margin + heading.height)] : top.draw(margin)),
      ...page,
    ]);
  };
  const pages =
    sizes
      .map((size) => () => set(size))
      .reduce<Page[] | null>((found, next) => (found && found.length === 1 ? found : next()), null) ?? [];
  return pages.map((page, index) => [
    ...page,
    centredOn(measure, middle, {
      text: `第 ${index + 1} 页，共 ${pages.length} 页`,
      face: 'song',
      size: 9,
      top: area.bottom + 3 * mm,
    }),
  ]);
}
