import { isValidElement, type ReactNode } from 'react';
import { Moment } from '../../show/Moment.tsx';
import { titleWidth, type ListColumn } from '../columns/columns.ts';
import type { ListState } from '../listState.ts';
import { cellText } from './cell.tsx';

const isNothing = (cell: ReactNode): boolean => {
  if (cell === null || cell === undefined || cell === false || cell === '' || cell === '—') return true;
  return isValidElement<{ at?: unknown }>(cell) && cell.type === Moment && !cell.props.at;
};

/** Columns that say something on this page: one that is empty in every row stands aside, unless rows are ordered by it or it was asked for. */
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

/** Of columns that are fixed, those that leave half of the room to the others. */
export function pinnedWithin<Row>(
  columns: readonly ListColumn<Row>[],
  room: number,
  widthOf: (one: ListColumn<Row>) => number,
) {
  const pinned = columns.filter((column) => column.pin).reduce((sum, column) => sum + widthOf(column), 0);
  return pinned <= room / 2 ? columns : columns.map((column) => ({ ...column, pin: undefined }));
}

/** CSS pixels of the narrowest title column, of a letter of its titles, and of what stands around them: its edges and the arrows of its order. */
const leastTitle = 190;
const letter = { wide: 14.2, narrow: 8.2 };
const around = 40;
const lengthOf = (text: string) =>
  [...text].reduce((sum, one) => sum + (one.charCodeAt(0) > 0x2e7f ? letter.wide : letter.narrow), 0);

/** Where the columns do not fit their room, short titles leave to the others what they do not need. */
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
