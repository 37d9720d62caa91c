import { fieldAccess, fieldType, type FieldAccess } from '../codes.ts';
import { isEmpty } from '../condition.ts';
import type { Column, Definition, Field, State } from '../definition.ts';
import { rowMark, rowsIn, type TableRow } from './table-rows.ts';

/** Somebody's access to a field and, for a table, to each column; unnamed columns are hidden. */
export interface Right {
  access: FieldAccess;
  columns: Columns;
}
export type Columns = ReadonlyMap<string, FieldAccess>;
type Rights = Pick<State, 'access' | 'columns'>;

export const isWritable = (access: FieldAccess | undefined): boolean =>
  access === fieldAccess.required || access === fieldAccess.optional;

/** The access to a field in a state. */
export function accessIn({ access }: Pick<State, 'access'>, key: string): FieldAccess {
  return (Object.hasOwn(access, key) ? access[key] : undefined) ?? fieldAccess.hidden;
}

/** A state's own setting for a column; undefined if it follows the table. */
export function saidOfColumn({ columns = {} }: Pick<State, 'columns'>, table: string, column: string) {
  const own = Object.hasOwn(columns, table) ? columns[table] : undefined;
  return own && Object.hasOwn(own, column) ? own[column] : undefined;
}

/** The access to a column in a state: the table's unless the state says otherwise, and never more. */
export function columnIn(state: Rights, table: Pick<Field, 'key'>, column: Column): FieldAccess {
  const whole = accessIn(state, table.key);
  const own = saidOfColumn(state, table.key, column.key);
  if (whole === fieldAccess.hidden || own === fieldAccess.hidden) return fieldAccess.hidden;
  if (whole === fieldAccess.read || own === fieldAccess.read || column.formula) return fieldAccess.read;
  return own ?? usualOf(column);
}

const usualOf = ({ required }: Column): FieldAccess => (required ? fieldAccess.required : fieldAccess.optional);

export const rightIn = (state: Rights, field: Field): Right => ({
  access: accessIn(state, field.key),
  columns: seenOf(field, (column) => columnIn(state, field, column)),
});

/** The columns of a table without any settings. */
export const openColumns = (field: Field): Columns => seenOf(field, usualOf);

function seenOf({ columns }: Field, access: (column: Column) => FieldAccess): Columns {
  const all = columns.map((column) => [column.key, access(column)] as const);
  return new Map(all.filter(([, right]) => right !== fieldAccess.hidden));
}

/** True if some state hides a column of a table: it is then shown only to people asked in a state where it is visible. */
export const columnHiddenIn = ({ states }: Pick<Definition, 'states'>, table: string, column: string): boolean =>
  states.some((state) => saidOfColumn(state, table, column) === fieldAccess.hidden);

/** A field with only the columns somebody sees. */
export function within(field: Field, columns: Columns): Field {
  return hidesNone(field, columns)
    ? field
    : { ...field, columns: field.columns.filter((column) => columns.has(column.key)) };
}

/** A value as somebody sees it: rows with only their visible columns. */
export function valueWithin(field: Field, columns: Columns, value: unknown): unknown {
  if (hidesNone(field, columns) || !Array.isArray(value)) return value;
  return rowsIn(value).map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => columns.has(key))));
}

const hidesNone = (field: Field, columns: Columns) =>
  field.type !== fieldType.table || field.columns.every((column) => columns.has(column.key));

/** Rows for somebody who writes them, numbered if they may not write all of their cells. */
export function marked(field: Field, { access, columns }: Right, value: unknown): unknown {
  if (field.type !== fieldType.table || !isWritable(access) || !Array.isArray(value)) return value;
  const closed = field.columns.some(({ key, formula }) => !formula && !isWritable(columns.get(key)));
  return closed ? rowsIn(value).map((row, index) => ({ ...row, [rowMark]: index + 1 })) : value;
}

/** The first required cell that is empty: its row, from 1, and the column's name. */
export function lackingCell(field: Field, { access, columns }: Right, rows: readonly TableRow[]) {
  const must = ({ key, formula }: Column) => !formula && columns.get(key) === fieldAccess.required;
  const asked = isWritable(access) ? field.columns.filter(must) : [];
  for (const [index, row] of asked.length > 0 ? rows.entries() : [])
    for (const { key, name } of asked) if (isEmpty(row[key])) return { line: index + 1, name };
  return null;
}
