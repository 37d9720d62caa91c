import { isValidElement, type ReactNode } from 'react';
import { Moment, shortMoment } from '../../show/Moment.tsx';
import { titleWidth, type ListColumn } from '../columns/columns.ts';
import type { ListState } from '../listState.ts';
import { cellText } from './cell.tsx';

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

/** Width in CSS pixels of the narrowest title column, and of the widest other one that is widened. */
const leastTitle = 190;
const mostWidened = 260;
/** Width in CSS pixels of a character, of a title's padding and sort arrows, and of those of the other columns. */
const letter = { wide: 14.2, narrow: 8.2 };
const around = 40;
const padding = 34;
const arrows = 18;

/** Width in CSS pixels of the text in a cell, as far as it can be told before it is drawn; null if nothing can. */
function lengthOf(cell: ReactNode): number | null {
  if (typeof cell === 'string' || typeof cell === 'number')
    return [...String(cell)].reduce((sum, one) => sum + (one.charCodeAt(0) > 0x2e7f ? letter.wide : letter.narrow), 0);
  if (Array.isArray(cell)) {
    const parts = cell.map((part: ReactNode) => lengthOf(part)).filter((part) => part !== null);
    return parts.length > 0 ? parts.reduce((sum, part) => sum + part, 0) : null;
  }
  if (!isValidElement<{ at?: string; children?: ReactNode }>(cell)) return null;
  const { at, children } = cell.props;
  return lengthOf(cell.type === Moment && at ? shortMoment(at, new Date()) : children);
}

/** The width that the texts of a column need on this page. */
const neededFor = <Row>(column: ListColumn<Row>, rows: readonly Row[]): number =>
  Math.ceil(Math.max(0, ...rows.map((row) => lengthOf(cellText(column, row)) ?? 0)));

/**
 * Sets the widths of the columns for the room that there is. If they do not fit, titles leave what they do not need, and wrap if all columns fit then.
 * Columns whose text would be cut get what is spare, or what short titles do not need. Widths that the person chose stay.
 */
export function widthsWithin<Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  room: number,
): readonly ListColumn<Row>[] {
  if (!Number.isFinite(room)) return columns;
  const widthOf = (column: ListColumn<Row>) => widths.get(column) ?? column.width ?? 0;
  const widths = new Map<ListColumn<Row>, number>();
  const spare = () => room - columns.reduce((sum, column) => sum + widthOf(column), 0);
  const title = columns.find((column) => column.main && !column.sized && column.width === titleWidth);
  const titleNeeds = title && Math.min(titleWidth, Math.max(leastTitle, neededFor(title, rows) + around));
  if (title && spare() < 0) {
    const left = titleWidth + spare();
    widths.set(title, left >= leastTitle ? left : titleNeeds!);
  }
  const wants = columns
    .filter((column) => !column.main && !column.whole && !column.sized)
    .map((column) => {
      const heading = (lengthOf(column.title) ?? 0) + (column.sort ? arrows : 0);
      const needs = Math.min(mostWidened, Math.max(heading, neededFor(column, rows)) + padding);
      return { column, want: needs - widthOf(column) };
    })
    .filter(({ want }) => want > 0)
    .toSorted((a, b) => a.want - b.want);
  for (const { column, want } of wants) {
    const free = Math.max(0, spare());
    const unused = title ? Math.max(0, widthOf(title) - titleNeeds!) : 0;
    const given = Math.min(want, free + unused);
    widths.set(column, widthOf(column) + given);
    if (title && given > free) widths.set(title, widthOf(title) - (given - free));
  }
  return columns.map((column) => (widths.has(column) ? { ...column, width: Math.floor(widthOf(column)) } : column));
}
