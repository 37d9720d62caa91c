import { unfilled } from '#kernel/contract/refusal.ts';
import { fieldType, isNumberType } from '../codes.ts';
import { pairFault } from '../check/date-pairs.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { nameIn, pairOf, valueIn } from './dates.ts';

export type TableRow = Readonly<Record<string, unknown>>;
type Column = FieldItem['columns'][number];

export function rowsIn(value: unknown): readonly TableRow[] {
  return Array.isArray(value) ? (value as TableRow[]) : [];
}

/** Whether a cell holds nothing. */
export function isEmptyCell(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export function isBlank(row: TableRow): boolean {
  return Object.values(row).every((value) => isEmptyCell(typeof value === 'string' ? value.trim() : value));
}

const narrow: Partial<Record<number, number>> = {
  [fieldType.radio]: fieldType.select,
  [fieldType.checkbox]: fieldType.multiSelect,
};

/** A column as a field, for the control of one cell; choices open as a list, since a cell is narrow. */
export function columnItem(table: FieldItem, column: Column): FieldItem {
  return {
    ...column,
    field_type_id: narrow[column.field_type_id] ?? column.field_type_id,
    field_value: null,
    field_display: '',
    field_files: table.field_files,
    field_people: table.field_people,
    field_attribute: column.formula ? 1 : column.required ? 2 : 3,
    order_id: 0,
    columns: [],
    max_rows: null,
  };
}

const asText: readonly number[] = [
  fieldType.string,
  fieldType.phone,
  fieldType.identity,
  fieldType.textarea,
  fieldType.date,
];
const asChoice: readonly number[] = [fieldType.select, fieldType.radio];

/**
 * The rows after a block of a spreadsheet was pasted at a cell: columns by tabs, rows by line ends, choices by their label. Null
 * when the text is no block, so that it is pasted as text. What a column cannot take leaves the cell as it is.
 */
export function pasted(
  text: string,
  columns: readonly Column[],
  rows: readonly TableRow[],
  at: { row: number; column: number; max: number },
): TableRow[] | null {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.length < 2 && !text.includes('\t')) return null;
  const next = [...rows];
  for (const [down, line] of lines.slice(0, at.max - at.row).entries()) {
    const row = { ...next[at.row + down] };
    for (const [right, cell] of line.split('\t').entries()) {
      const column = columns[at.column + right];
      const value = column && cellOf(column, cell.trim());
      if (column && value !== undefined) row[column.field_key] = value;
    }
    next[at.row + down] = row;
  }
  return next;
}

function cellOf(column: Column, text: string): unknown {
  if (asText.includes(column.field_type_id)) return text;
  if (asChoice.includes(column.field_type_id)) return column.choices.find((choice) => choice.label === text)?.value;
  const number = Number(text.replaceAll(',', ''));
  return isNumberType(column.field_type_id) && text !== '' && Number.isFinite(number) ? number : undefined;
}

/** The first cell a table must have and has not, or that does not fit the dates of its row, in words; blank rows do not count. */
export function faultyCell(item: FieldItem, rows: readonly TableRow[]): string | null {
  const columns = item.columns.map((column) => columnItem(item, column));
  for (const [index, row] of rows.filter((one) => !isBlank(one)).entries()) {
    const line = `第 ${index + 1} 行`;
    for (const column of columns) {
      const { field_key: key, field_name: name } = column;
      if (column.field_attribute === 2 && isEmptyCell(row[key])) return `${unfilled}${line}“${name}”`;
      const wrong = pairFault(pairOf(column), valueIn(columns, row), nameIn(columns));
      if (wrong) return `${line}“${name}”${wrong}`;
    }
  }
  return null;
}
