import { isValidElement, type ReactNode } from 'react';
import { Moment } from '../../show/Moment.tsx';
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

/** Width in CSS pixels of the narrowest title column, of a character of its titles, and of the surrounding padding and sort arrows. */
const leastTitle = 190;
const letter = { wide: 14.2, narrow: 8.2 };
const around = 40;
const lengthOf = (text: string) =>
  [...text].reduce((sum, one) => sum + (one.charCodeAt(0) > 0x2e7f ? letter.wide : letter.narrow), 0);

/** If the columns do not fit, short titles leave the space they do not need to the others. */
export function titlesWithin<Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  missing: number,
): readonly ListColumn<Row>[] {
  if (missing <= 0) return columns;
  return columns.map((column) => {
    if (!column.main || column.width !== titleWidth) return column;
    const titles = rows.map((row) => cellText(column, row));
    if (!titles.every((title) => typeof title === 'string')) return column;
    const needed = Math.max(leastTitle, ...titles.map((title) => Math.ceil(lengthOf(title)) + around));
    return { ...column, width: Math.min(titleWidth, Math.max(needed, titleWidth - missing)) };
  });
}
