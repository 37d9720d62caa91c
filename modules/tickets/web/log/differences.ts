import { fieldType } from '#modules/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflows/contract/shapes.ts';
import type { FlowLog } from '../../contract/shapes.ts';

/** What one row of the log changed in a field, in words. */
export interface Difference {
  key: string;
  name: string;
  from: string;
  to: string;
}
type Form = Readonly<Record<string, unknown>>;

/**
 * What each row changed in the fields the reader may see, by the row's number. `logs` in the order they were made, each with its
 * form; the first has no form before it and so no difference.
 */
export function differencesOf(logs: readonly FlowLog[], items: readonly FieldItem[]): Map<number, Difference[]> {
  const found = new Map<number, Difference[]>();
  for (const [index, log] of logs.entries()) {
    const before = logs[index - 1]?.ticket_data;
    if (!before || !log.ticket_data) continue;
    const changed = between(before, log.ticket_data, items);
    if (changed.length > 0) found.set(log.seq, changed);
  }
  return found;
}

function between(before: Form, after: Form, items: readonly FieldItem[]): Difference[] {
  return items
    .filter((item) => JSON.stringify(before[item.field_key] ?? null) !== JSON.stringify(after[item.field_key] ?? null))
    .map((item) => ({
      key: item.field_key,
      name: item.field_name,
      from: wordsOf(item, before[item.field_key]),
      to: wordsOf(item, after[item.field_key]),
    }));
}

/** A value in words: labels of choices, counts of what is too long for a line. */
function wordsOf(item: FieldItem, value: unknown): string {
  if (value === undefined || value === null || value === '') return '（空）';
  if (item.field_type_id === fieldType.table) return `${(value as unknown[]).length} 行`;
  if (item.field_type_id === fieldType.file) return `${(value as unknown[]).length} 个文件`;
  if (typeof value === 'boolean') return item.boolean_field_display[value ? '1' : '0'];
  return [value]
    .flat()
    .map((one) => item.field_choice[String(one)] ?? String(one))
    .join('、');
}
