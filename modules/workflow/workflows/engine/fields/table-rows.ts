import { choiceTree, flatChoices, pathTo } from './choice-tree.ts';
import { pasteBlock, type BlockPlace } from '#kernel/contract/sheet/block.ts';
import { chosenText, readCell, type CellKind } from '#kernel/contract/sheet/cells.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { isDay, isOfOurYears } from '#kernel/contract/shapes.ts';
import { fieldType, isNumberType } from '../codes.ts';
import { pairFault } from '../check/date-pairs.ts';
import type { FieldItem, SheetRead } from '../../contract/shapes.ts';
import { nameIn, pairOf, valueIn } from './dates.ts';

export type TableRow = Readonly<Record<string, unknown>>;

/**
 * A key in a row being written: the number of the row in the stored table, from 1; 0 for a new one. It keeps values the writer does not see, or may
 * not change, with their row. Without it rows are matched by position.
 */
export const rowMark = '_row';
type Column = FieldItem['columns'][number];

/** The typed values without tables whose rows are numbered: once the stored rows have changed, the numbers are meaningless. */
export function withoutMarked(typed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isMarked = (value: unknown) => Array.isArray(value) && rowsIn(value).some((row) => Number(row[rowMark]) > 0);
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => !isMarked(value)));
}

export function rowsIn(value: unknown): readonly TableRow[] {
  return Array.isArray(value) ? (value as TableRow[]) : [];
}

/** True if a cell is empty. */
export function isEmptyCell(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** True if a row can be dropped without loss: an existing row may hold cells that its writer does not see. */
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
 * The rows after pasting a block of a spreadsheet at a cell: columns by tabs, rows by line ends, choices by their label. Null if the text is no
 * block, so that it is pasted as text. A value that a column cannot take leaves the cell unchanged and is reported.
 */
export function pasted(
  text: string,
  columns: readonly Column[],
  rows: readonly TableRow[],
  at: BlockPlace,
): { rows: TableRow[]; troubles: string[] } | null {
  const troubles: string[] = [];
  const next = pasteBlock<TableRow>(text, rows, at, (row = {}, place, cell) => {
    const column = columns[place];
    if (!column || column.field_attribute === 1) return row;
    const { value, asks } = cellOf(column, cell);
    if (value !== undefined) return { ...row, [column.field_key]: value };
    if (cell !== '') troubles.push(`“${column.field_name}”${asks ?? `不能填“${cell.slice(0, 30)}”`}`);
    return row;
  });
  return next && { rows: next, troubles };
}

const asText: Partial<Record<number, CellKind | 'text'>> = {
  [fieldType.string]: 'text',
  [fieldType.place]: 'text',
  [fieldType.textarea]: 'text',
  [fieldType.phone]: 'phone',
  [fieldType.identity]: 'code',
};
const asChoice: readonly number[] = [fieldType.select, fieldType.radio];
const asChoices: readonly number[] = [fieldType.checkbox, fieldType.multiSelect];

/** A cell's value for its column, or nothing if the column cannot take it; `asks`: a question to be clarified first. */
type Held = { value?: unknown; asks?: string };

/** The value of a spreadsheet cell in a column, by the rules for all sheets. */
function cellOf(column: Column, text: string): Held {
  const { field_type_id: type, choices } = column;
  const kind = asText[type];
  if (kind !== undefined) return kind === 'text' ? { value: text } : read(kind, text);
  if (asChoice.includes(type)) return { value: choices.find((choice) => choice.label === text)?.value };
  if (asChoices.includes(type)) {
    const labels = text.split(/[、,，;；]/).map((one) => one.trim());
    const chosen = choices.filter((choice) => labels.includes(choice.label)).map(({ value }) => value);
    return { value: chosen.length === labels.length ? chosen : undefined };
  }
  if (type === fieldType.cascade) return { value: pathOf(choices, text) };
  if (type === fieldType.bool) {
    const { '1': yes, '0': no } = column.boolean_field_display;
    return { value: text === yes || text === 'TRUE' ? true : text === no || text === 'FALSE' ? false : undefined };
  }
  if (type === fieldType.date) return dayIn(text);
  if (type === fieldType.datetime) return read('moment', text, isTime);
  if (type === fieldType.dateRange) return daysIn(text);
  if (!isNumberType(type) || text === '') return {};
  const found = readCell('money', text);
  return 'asks' in found ? found : read('number', found.text, isFiniteNumber, Number);
}
/** The kind by which a column takes a number or what is shown of it. */
function kindOf({ field_type_id: type }: Column): CellKind | undefined {
  if (type === fieldType.date || type === fieldType.dateRange) return 'day';
  if (type === fieldType.datetime) return 'moment';
  if (isNumberType(type)) return 'number';
  const kind = asText[type];
  return kind === 'text' ? undefined : kind;
}

const isTime = (text: string) => isTakenDay(text.slice(0, 10)) && /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text);
const isTakenDay = (text: string) => isDay(text) && isOfOurYears(text);
const isFiniteNumber = (text: string) => text !== '' && Number.isFinite(Number(text));

function read(
  kind: CellKind,
  text: string,
  fits: (found: string) => boolean = () => true,
  as: (found: string) => unknown = (found) => found,
): Held {
  const found = readCell(kind, text);
  if ('asks' in found) return found;
  return fits(found.text) ? { value: as(found.text) } : {};
}

const dayIn = (text: string) => read('day', text, isTakenDay);
/** Both days of a range with any separator: hyphens also occur within days, so ambiguous texts are asked about. */
function daysIn(text: string): Held {
  const parted = [...text.matchAll(/[至到~～]|\p{Pd}+/gu)].map(({ 0: mark, index }) => ({
    isWord: /[至到~～]/.test(mark),
    ends: [text.slice(0, index), text.slice(index + mark.length)].map((day) => dayIn(day.trim())),
  }));
  const found = parted.find(({ ends }) => ends.every(({ value }) => value !== undefined));
  if (found) return { value: found.ends.map(({ value }) => value) };
  return parted.find(({ isWord }) => isWord)?.ends.find(({ asks }) => asks) ?? {};
}

/**
 * The rows of a sheet, whose first line with a column's name is the heading: each line is a row, with the columns in any order. Unreadable cells are
 * reported by line and left empty; hidden lines and columns are reported and left out.
 */
export function readLines(
  sheet: SheetRead,
  columns: readonly Column[],
  max: number,
): { rows: TableRow[]; troubles: string[] } {
  const { lines, faults, hidden, beside } = sheet;
  const open = columns.filter((column) => column.field_attribute !== 1);
  const named = (cell: string) => open.find((column) => column.field_name === cell.replace(/\s*\*$/, ''));
  const head = lines.findIndex((line) => line.some(named));
  const unnamed = faults
    .filter(({ line }) => line === Math.max(head, 0) + 1)
    .map(({ line, msg }) => `第 ${line} 行的列名读不出来，这一列没有读入：${msg}`);
  if (head < 0) {
    const asked = `没有找到表头：请在第一行写列名，如“${open.map((one) => one.field_name).join('”“')}”`;
    return { rows: [], troubles: [...unnamed, asked] };
  }
  const concealed = hiddenAmong(sheet, head);
  const heads = lines[head]!.map((cell, place) => (concealed.includes(place) ? undefined : named(cell)));
  const rows: TableRow[] = [];
  const troubles = [
    ...beside.map((name) => `工作表“${name}”没有读入，只读第一张`),
    ...unnamed,
    ...concealed
      .flatMap((place) => named(lines[head]![place]!)?.field_name ?? [])
      .map((name) => `“${name}”这一列被隐藏了，没有读入`),
  ];
  const values = new Map(sheet.values.map(({ line, column, value }) => [`${line} ${column}`, value]));
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
      const shows = line[place]?.trim() ?? '';
      const text = chosenText(kindOf(column), shows, values.get(`${no} ${place}`) ?? shows);
      const fault = wrong.get(place);
      const { value, asks } = text === '' || fault ? {} : cellOf(column, text);
      const where = `第 ${no} 行“${column.field_name}”`;
      if (fault) troubles.push(`${where}已留空：${fault}`);
      else if (asks !== undefined) troubles.push(`${where}${asks}，已留空`);
      else if (value !== undefined) row[column.field_key] = value;
      else if (text !== '') troubles.push(`${where}不能填“${text.slice(0, 30)}”，已留空`);
    }
    rows.push(row);
  }
  return { rows, troubles };
}

/** The hidden columns that hold something below the headings. */
const hiddenAmong = ({ lines, faults, hidden_columns }: SheetRead, head: number): number[] =>
  hidden_columns.filter(
    (place) =>
      lines.slice(head + 1).some((line) => (line[place] ?? '').trim() !== '') ||
      faults.some(({ line, column }) => line > head + 1 && column === place),
  );

/** A path written as labels with separators. */
function pathOf(choices: Column['choices'], text: string): string[] | undefined {
  const nodes = choiceTree(choices);
  const words = text
    .split('/')
    .map((one) => one.trim())
    .join(' / ');
  const found = flatChoices(nodes).find(({ label }) => label === words);
  return found && pathTo(nodes, found.value)?.map(({ value }) => value);
}

/** The first required cell that is empty, or does not fit the dates of its row, in words; blank rows do not count. */
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
