import type { Cell, Paragraph, Table } from './blocks.ts';
import type { Item } from './page/flow.ts';
import { inkOf } from './ink/ink.ts';
import { breakLines, type Line } from './page/lines.ts';
import { core, type Ink, type Measure, type Picture } from './ink/measures.ts';

/** Size of the text in boxes, by default. */
const usual = 12;
const padding = { x: 4, y: 4 };

export interface Box {
  /** First column and number of columns; `rows` downward. */
  column: number;
  columns: number;
  rows: number;
  head: boolean;
  content: readonly Paragraph[];
  picture?: Picture;
}

/** Gives each cell its column, after those that extend down from above. */
function boxesOf({ rows }: Table): { grid: Box[][]; columns: number } {
  const taken: number[] = [];
  const grid = rows.map((row, index) => {
    let column = 0;
    return row.map((cell: Cell): Box => {
      while ((taken[column] ?? 0) > index) column += 1;
      const { columns } = cell;
      const down = Math.min(cell.rows, rows.length - index);
      for (let each = column; each < column + columns; each += 1) taken[each] = index + down;
      column += columns;
      return { ...cell, column: column - columns, columns, rows: down };
    });
  });
  return { grid, columns: Math.max(1, taken.length) };
}

interface Laid extends Box {
  lines: { line: Line; align: Paragraph['align'] }[];
  height: number;
}

/** A table of the text: columns of equal width, as wide as the core. */
export function tableItems(table: Table, measure: Measure): Item[] {
  const { grid, columns } = boxesOf(table);
  return boxItems(
    grid,
    Array.from({ length: columns }, () => core.width / columns),
    measure,
  );
}

/** Rows of boxes as items, one per row; rows joined by a box stay on one page. `widths` of the columns in points. */
export function boxItems(
  grid: readonly (readonly Box[])[],
  widths: readonly number[],
  measure: Measure,
  { left = core.left, size = usual }: { left?: number; size?: number } = {},
): Item[] {
  const style = { face: 'text', size, spacing: 0 } as const;
  const lineHeight = size * 1.5;
  const edge = (column: number) => left + widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const laid = grid.map((row) =>
    row.map((box): Laid => {
      const width = edge(box.column + box.columns) - edge(box.column) - 2 * padding.x;
      const lines = box.content.flatMap((paragraph) => {
        const face = box.head || paragraph.level > 0 ? ('bold' as const) : ('text' as const);
        const runs = paragraph.runs.map((run) => ({ ...run, face: run.strong ? ('bold' as const) : face }));
        const broken = breakLines(runs, style, measure, { width, justified: false });
        return broken.map((line) => ({ line, align: paragraph.align }));
      });
      const height = Math.max(1, lines.length) * lineHeight + (box.picture?.height ?? 0) + 2 * padding.y;
      return { ...box, lines, height };
    }),
  );
  const heights = laid.map((row) => Math.max(lineHeight, ...row.map((box) => (box.rows === 1 ? box.height : 0))));
  laid.forEach((row, index) => {
    for (const box of row) {
      const last = index + box.rows - 1;
      const there = heights.slice(index, last + 1).reduce((sum, height) => sum + height, 0);
      if (box.height > there) heights[last]! += box.height - there;
    }
  });
  return laid.map((row, index) => ({
    height: heights[index]!,
    onGrid: false,
    held: laid.slice(0, index + 1).some((above, at) => above.some((box) => at + box.rows - 1 > index)),
    draw: (top) =>
      row.flatMap((box): Ink[] => {
        const [x, right] = [edge(box.column), edge(box.column + box.columns)];
        const bottom = top + heights.slice(index, index + box.rows).reduce((sum, height) => sum + height, 0);
        return [...frame(x, top, right, bottom), ...content(box, { x, right, top, bottom, size })];
      }),
  }));
}

function content(
  box: Laid,
  { x, right, top, bottom, size }: Record<'x' | 'right' | 'top' | 'bottom' | 'size', number>,
): Ink[] {
  const lineHeight = size * 1.5;
  const { lines, picture } = box;
  const first = top + (bottom - top - lines.length * lineHeight - (picture?.height ?? 0)) / 2;
  const ink = lines.flatMap(({ line, align }, index) => {
    const room = right - x - 2 * padding.x - line.width;
    const shift = align === 'center' || box.head ? room / 2 : align === 'right' ? room : 0;
    const lineTop = first + index * lineHeight + (lineHeight - size) / 2;
    return inkOf(line, { x: x + padding.x + shift, top: lineTop, size, spacing: 0 });
  });
  const under = first + lines.length * lineHeight;
  return picture ? [...ink, { ...picture, x: x + padding.x, y: under }] : ink;
}

function frame(x: number, top: number, right: number, bottom: number): Ink[] {
  const line = (fromX: number, fromY: number, toX: number, toY: number): Ink => ({
    kind: 'rule',
    x: fromX,
    y: fromY,
    toX,
    toY,
    thickness: 0.7,
  });
  return [
    line(x, top, right, top),
    line(right, top, right, bottom),
    line(x, bottom, right, bottom),
    line(x, top, x, bottom),
  ];
}
