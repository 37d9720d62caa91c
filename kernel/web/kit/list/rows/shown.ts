import { isValidElement, type ReactNode } from 'react';
import { Moment, shortMoment } from '../../show/Moment.tsx';
import type { ListColumn } from '../columns/columns.ts';
import type { ListState } from '../listState.ts';
import { cellText } from './cell.tsx';
import { countLetters, type Measure } from './measure.ts';

const isNothing = (cell: ReactNode): boolean => {
  if (cell === null || cell === undefined || cell === false || cell === '' || cell === '—') return true;
  return isValidElement<{ at?: unknown }>(cell) && cell.type === Moment && !cell.props.at;
};

/**
 * Returns the columns with content on this page: a column that is empty in every row is hidden, unless the rows are sorted by it or the person chose
 * it.
 */
export function telling<Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  { order_by }: Pick<ListState, 'order_by'>,
  asked: Readonly<Record<string, boolean>>,
): ListColumn<Row>[] {
  return columns.filter(
    (column) =>
      column.main ||
      rows.length === 0 ||
      column.key === order_by ||
      asked[column.key] === true ||
      !rows.every((row) => isNothing(cellText(column, row))),
  );
}

/** Returns the pinned columns that leave half of the width to the others. */
export function pinnedWithin<Row>(
  columns: readonly ListColumn<Row>[],
  room: number,
  widthOf: (one: ListColumn<Row>) => number,
) {
  const pinned = columns.filter((column) => column.pin).reduce((sum, column) => sum + widthOf(column), 0);
  return pinned <= room / 2 ? columns : columns.map((column) => ({ ...column, pin: undefined }));
}

/** Widths in CSS pixels, at the usual size of text: below which titles do not wrap, of the narrowest column, and of the widest one that is widened. */
const leastTitle = 190;
const leastWidth = 64;
const mostWidened = 260;
/** Width in CSS pixels of what surrounds a text in its cell, of sort arrows, and of the edges of a tag. */
const padding = 34;
const arrows = 18;
const edges = 20;
/** The size of the second line of a cell, as a share of the usual one. */
const noteSize = 12 / 14;

/** Width in CSS pixels of the text in a cell, as far as it can be told before it is drawn; null if nothing can. */
function lengthOf(cell: ReactNode, measure: Measure): number | null {
  if (cell === null || cell === undefined || typeof cell === 'boolean') return 0;
  if (typeof cell === 'string' || typeof cell === 'number') return measure(String(cell));
  if (Array.isArray(cell)) {
    const parts = cell.map((part: ReactNode) => lengthOf(part, measure));
    return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
  }
  if (!isValidElement<{ at?: string; children?: ReactNode }>(cell)) return null;
  const { at, children } = cell.props;
  if (cell.type === Moment) return measure(at ? shortMoment(at, new Date()) : '—');
  if (children === undefined) return null;
  const inner = lengthOf(children, measure);
  return inner === null ? null : inner + (typeof cell.type === 'function' ? edges : 0);
}

/** The width that the heading and the texts of a column need on this page; null if a text is not known before it is drawn. */
function needed<Row>(
  column: ListColumn<Row>,
  rows: readonly Row[],
  { scale, measure }: { scale: number; measure: Measure },
): number | null {
  let widest = measure(column.title, true) + (column.sort ? arrows : 0);
  for (const row of rows) {
    const length = lengthOf(cellText(column, row), measure);
    const noted = column.note ? lengthOf(column.note(row), measure) : 0;
    if (length === null || noted === null) return null;
    widest = Math.max(widest, length, noted * noteSize);
  }
  return Math.max(leastWidth * scale, Math.ceil(widest * scale) + padding);
}

/**
 * Sets the widths of the columns for the room that there is. If they do not fit, titles leave what they do not need, or wrap if all columns fit then,
 * and after them the others. Columns whose text would be cut get what is spare, or what short titles do not need. Widths that the person chose stay.
 * `scale`: how many times larger than usual the text is; `measure`: the width of a text of the usual size.
 */
export function widthsWithin<Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  room: number,
  { scale = 1, measure = countLetters }: { scale?: number; measure?: Measure } = {},
): readonly ListColumn<Row>[] {
  if (!Number.isFinite(room)) return columns;
  const widthOf = (column: ListColumn<Row>) => widths.get(column) ?? column.width ?? 0;
  const widths = new Map<ListColumn<Row>, number>();
  const spare = () => room - columns.reduce((sum, column) => sum + widthOf(column), 0);
  const free = columns.filter((column) => !column.sized);
  const title = free.find((column) => column.main);
  const usual = title?.width ?? 0;
  const titleNeeds = title ? Math.min(usual, needed(title, rows, { scale, measure }) ?? usual) : 0;
  if (title && spare() < 0) {
    const left = usual + spare();
    widths.set(title, left >= Math.min(usual, leastTitle * scale) ? left : titleNeeds);
  }
  const others = free
    .filter((column) => !column.main)
    .map((column) => ({
      column,
      lacks: (needed(column, rows, { scale, measure }) ?? widthOf(column)) - widthOf(column),
    }));
  const unneeded = others.filter(({ lacks }) => lacks < 0);
  const slack = unneeded.reduce((sum, { lacks }) => sum - lacks, 0);
  const share = Math.min(1, Math.max(0, -spare()) / slack);
  if (slack > 0) for (const { column, lacks } of unneeded) widths.set(column, widthOf(column) + lacks * share);
  const cut = others
    .filter(({ column, lacks }) => !column.whole && lacks > 0)
    .map(({ column, lacks }) => ({ column, want: Math.min(lacks, mostWidened * scale - widthOf(column)) }))
    .toSorted((a, b) => a.want - b.want);
  for (const { column, want } of cut) {
    const there = Math.max(0, spare());
    const unused = title ? Math.max(0, widthOf(title) - titleNeeds) : 0;
    const given = Math.max(0, Math.min(want, there + unused));
    widths.set(column, widthOf(column) + given);
    if (title && given > there) widths.set(title, widthOf(title) - (given - there));
  }
  return columns.map((column) => (widths.has(column) ? { ...column, width: Math.floor(widthOf(column)) } : column));
}
