import { fieldType, isFileType } from '#modules/workflow/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflow/workflows/contract/shapes.ts';
import type { Detail, FlowLog } from '../../contract/shapes.ts';
import { valueWords } from '#modules/workflow/workflows/engine/fields/value-words.ts';

/** A change to a field by one log row, in words. */
export interface Difference {
  key: string;
  name: string;
  from: string;
  to: string;
}
type Form = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;

/**
 * Changes by each row in the fields the reader may see, by the row's number. `logs` in chronological order, each with its form; the first has no
 * previous form and so no changes.
 */
export function differencesOf(logs: readonly FlowLog[], items: readonly FieldItem[]): Map<number, Difference[]> {
  const found = new Map<number, Difference[]>();
  for (const [index, log] of logs.entries()) {
    const before = logs[index - 1]?.ticket_data;
    if (!before || !log.ticket_data) continue;
    const names = { ...logs[index - 1]?.ticket_people, ...log.ticket_people };
    const changed = between(before, log.ticket_data, items, names);
    if (changed.length > 0) found.set(log.seq, changed);
  }
  return found;
}

/** Changes to some fields, in words. `before` holds those fields alone. */
export function since(
  { was, people }: NonNullable<Detail['since_decided']>,
  items: readonly FieldItem[],
): Difference[] {
  const changed = items.filter((item) => Object.hasOwn(was, item.field_key));
  const now = Object.fromEntries(changed.map((item) => [item.field_key, item.field_value]));
  return between(was, now, changed, Object.assign({}, people, ...changed.map((item) => item.field_people)));
}

function between(before: Form, after: Form, items: readonly FieldItem[], names: Names): Difference[] {
  return items
    .filter((item) => JSON.stringify(before[item.field_key] ?? null) !== JSON.stringify(after[item.field_key] ?? null))
    .map((item) => ({
      key: item.field_key,
      name: item.field_name,
      from: wordsOf(item, before[item.field_key], after[item.field_key], names),
      to: wordsOf(item, after[item.field_key], before[item.field_key], names),
    }));
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A value in words next to the compared one; long values are given as counts. */
function wordsOf(item: FieldItem, value: unknown, other: unknown, names: Names): string {
  if (value === undefined || value === null || value === '') return '（空）';
  if (isFileType(item.field_type_id)) return `${(value as unknown[]).length} 个文件`;
  if (item.field_type_id === fieldType.records) return `${(value as unknown[]).length} 项`;
  if (item.field_type_id !== fieldType.table) return valueWords(item, value, names);
  const [rows, others] = [value as Rows, (other ?? []) as Rows];
  if (rows.length !== others.length) return `${rows.length} 行`;
  const cells = rows.flatMap((row, at) =>
    item.columns
      .filter(({ field_key: key }) => JSON.stringify(row[key]) !== JSON.stringify(others[at]?.[key]))
      .map((column) => `第 ${at + 1} 行${column.field_name} ${cellWords(column, row[column.field_key], names)}`),
  );
  return cells.length > mostCells ? `${cells.slice(0, mostCells).join('，')} 等 ${cells.length} 处` : cells.join('，');
}
const mostCells = 5;

function cellWords(column: FieldItem['columns'][number], cell: unknown, names: Names): string {
  if (isFileType(column.field_type_id)) return `${Array.isArray(cell) ? cell.length : 0} 个文件`;
  return valueWords(column, cell, names) || '（空）';
}
