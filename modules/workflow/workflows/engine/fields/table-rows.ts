import { choiceTree, flatChoices, pathTo } from './choice-tree.ts';
import { pasteBlock, type BlockPlace } from '#kernel/contract/sheet/block.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { fieldType, isNumberType } from '../codes.ts';
import { pairFault } from '../check/date-pairs.ts';
import type { FieldItem, SheetRead } from '../../contract/shapes.ts';
import { nameIn, pairOf, valueIn } from './dates.ts';

export type TableRow = Readonly<Record<string, unknown>>;

/**
 * Beside the cells of a row that is being written: which row of the table as it was this is, counted from 1; 0 for a new one. So what
 * its writer does not see, or may not change, stays with its row. Without it a row is the one that stood in its place.
 */
export const rowMark = '_row';
type Column = FieldItem['columns'][number];

/** What was typed, without tables whose rows say which they were: once those have changed, that says nothing any more. */
export function withoutMarked(typed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isMarked = (value: unknown) => Array.isArray(value) && rowsIn(value).some((row) => Number(row[rowMark]) > 0);
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => !isMarked(value)));
}

export function rowsIn(value: unknown): readonly TableRow[] {
  return Array.isArray(value) ? (value as TableRow[]) : [];
}

/** Whether a cell holds nothing. */
export function isEmptyCell(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether nothing is lost with a row: one that was there may hold what its writer does not see. */
export function isBlank(row: TableRow): boolean {
  return Object.entries(row).every(([key, value]) =>
    key === rowMark ? value === 0 : isEmptyCell(typeof value === 'string' ? value.trim() : value),
  );
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
    order_id: 0,
    columns: [],
    max_rows: null,
  };
}

/**
 * The rows after a block of a spreadsheet was pasted at a cell: columns by tabs, rows by line ends, choices by their label. Null
 * when the text is no block, so that it is pasted as text. What a column cannot take leaves the cell as it is.
 */
export const pasted = (
  text: string,
  columns: readonly Column[],
  rows: readonly TableRow[],
  at: BlockPlace,
): TableRow[] | null =>
  pasteBlock<TableRow>(text, rows, at, (row = {}, place, cell) => {
    const column = columns[place];
    const value = column && column.field_attribute !== 1 ? cellOf(column, cell) : undefined;
    return column && value !== undefined ? { ...row, [column.field_key]: value } : row;
  });

const asText: readonly number[] = [
  fieldType.string,
  fieldType.phone,
  fieldType.identity,
  fieldType.place,
  fieldType.textarea,
];
const asChoice: readonly number[] = [fieldType.select, fieldType.radio];
const asChoices: readonly number[] = [fieldType.checkbox, fieldType.multiSelect];
const written = /(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?: (\d{1,2}):(\d{2}))?/g;

/** What a cell of a spreadsheet means in a column; undefined where the column cannot take it. */
function cellOf(column: Column, text: string): unknown {
  const { field_type_id: type, choices } = column;
  if (asText.includes(type)) return text;
  if (asChoice.includes(type)) return choices.find((choice) => choice.label === text)?.value;
  if (asChoices.includes(type)) {
    const labels = text.split(/[、,，;；]/).map((one) => one.trim());
    const chosen = choices.filter((choice) => labels.includes(choice.label)).map(({ value }) => value);
    return chosen.length === labels.length ? chosen : undefined;
  }
  if (type === fieldType.cascade) return pathOf(choices, text);
  if (type === fieldType.bool) {
    const { '1': yes, '0': no } = column.boolean_field_display;
    return text === yes || text === 'TRUE' ? true : text === no || text === 'FALSE' ? false : undefined;
  }
  const moments = [...text.matchAll(written)].map(([, year, month, date, hour, minute]) => ({
    day: [year, month, date].map((part) => part!.padStart(2, '0')).join('-'),
    time: hour === undefined ? '00:00:00' : `${hour.padStart(2, '0')}:${minute}:00`,
  }));
  const [first] = moments;
  if (type === fieldType.date) return first?.day;
  if (type === fieldType.datetime) return first && `${first.day} ${first.time}`;
  if (type === fieldType.dateRange) return moments.length === 2 ? moments.map(({ day }) => day) : undefined;
  const number = Number(text.replaceAll(/[,，\s]/g, ''));
  return isNumberType(type) && text !== '' && Number.isFinite(number) ? number : undefined;
}

/**
 * The rows of a sheet whose first line with a name of a column is its head: each line a row, whatever order the columns stand in.
 * What could not be read is told by its line, and left empty; hidden lines are told of and left out.
 */
export function readLines(
  { lines, faults, hidden, beside }: SheetRead,
  columns: readonly Column[],
  max: number,
): { rows: TableRow[]; troubles: string[] } {
  const open = columns.filter((column) => column.field_attribute !== 1);
  const named = (cell: string) => open.find((column) => column.field_name === cell.replace(/\s*\*$/, ''));
  const head = lines.findIndex((line) => line.some(named));
  if (head < 0)
    return {
      rows: [],
      troubles: [`没有找到表头：请在第一行写列名，如“${open.map((one) => one.field_name).join('”“')}”`],
    };
  const heads = lines[head]!.map(named);
  const rows: TableRow[] = [];
  const troubles = beside.map((name) => `工作表“${name}”没有读入，只读第一张`);
  for (const [at, line] of lines.entries()) {
    const no = at + 1;
    const wrong = new Map(faults.flatMap((one) => (one.line === no ? [[one.column, one.msg] as const] : [])));
    if (at <= head || (wrong.size === 0 && line.every((cell) => cell.trim() === ''))) continue;
    if (hidden.includes(no)) {
      troubles.push(`第 ${no} 行被隐藏或筛选掉了，没有读入`);
      continue;
    }
    if (rows.length >= max) {
      troubles.push(`最多 ${max} 行，第 ${no} 行起没有读入`);
      break;
    }
    const row: Record<string, unknown> = {};
    for (const [place, column] of heads.entries()) {
      if (!column) continue;
      const text = line[place]?.trim() ?? '';
      const fault = wrong.get(place);
      const value = text === '' ? undefined : cellOf(column, text);
      if (fault) troubles.push(`第 ${no} 行“${column.field_name}”已留空：${fault}`);
      else if (value !== undefined) row[column.field_key] = value;
      else if (text !== '') troubles.push(`第 ${no} 行“${column.field_name}”不能填“${text.slice(0, 30)}”，已留空`);
    }
    rows.push(row);
  }
  return { rows, troubles };
}

/** The path that is written as labels with strokes between them. */
function pathOf(choices: Column['choices'], text: string): string[] | undefined {
  const nodes = choiceTree(choices);
  const words = text
    .split('/')
    .map((one) => one.trim())
    .join(' / ');
  const found = flatChoices(nodes).find(({ label }) => label === words);
  return found && pathTo(nodes, found.value)?.map(({ value }) => value);
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
