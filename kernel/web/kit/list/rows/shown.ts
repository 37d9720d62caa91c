import { isValidElement, type ReactNode } from 'react';
import { Moment } from '../../show/Moment.tsx';
import type { ListColumn } from '../columns/columns.ts';
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
