import type { ReactNode } from 'react';
import { isMoment, Moment } from '../../show/Moment.tsx';
import type { ListColumn } from '../columns/columns.ts';

/** Returns the content of a row's cell in a list. */
export function cellText<Row>(column: ListColumn<Row>, row: Row): ReactNode {
  if (column.render) return column.render(row);
  const given = (row as Record<string, unknown>)[column.key];
  const value = given !== null && given !== undefined && column.show ? column.show(given) : given;
  if (value === null || value === undefined || value === '') return '—';
  return isMoment(value) ? <Moment at={value} /> : String(value);
}
