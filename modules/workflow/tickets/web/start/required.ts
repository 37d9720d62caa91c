import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { pairFault } from '#modules/workflow/workflows/engine/check/date-pairs.ts';
import type { FieldItem } from '#modules/workflow/workflows/contract/shapes.ts';
import { nameIn, pairOf, valueIn } from '#modules/workflow/workflows/engine/fields/dates.ts';
import { faultyCell, isBlank, rowsIn } from '#modules/workflow/workflows/engine/fields/table-rows.ts';

type Edited = Readonly<Record<string, unknown>>;

/** Required fields without a value and dates in the wrong order, reported before anything is sent; the server checks all the same. */
export function missing(items: readonly FieldItem[], edited: Edited): FieldError[] {
  return items.flatMap((item) => {
    const value = item.field_key in edited ? edited[item.field_key] : item.field_value;
    const errorOf = (msg: string) => [{ field: item.field_key, label: item.field_name, msg }];
    if (item.field_type_id === fieldType.table) {
      const rows = rowsIn(value).filter((row) => !isBlank(row));
      if (item.field_attribute === 2 && rows.length === 0) return errorOf('至少填写一行');
      const faulty = item.field_attribute === 1 ? null : faultyCell(item, rows);
      return faulty ? errorOf(faulty) : [];
    }
    if (item.field_attribute === 2 && empty(value)) return errorOf(unfilled);
    const half = item.field_type_id === fieldType.dateRange && Array.isArray(value) && value.includes('');
    if (half) return errorOf('请填写开始日期和结束日期');
    const wrong = item.field_attribute === 1 ? null : pairFault(pairOf(item), valueIn(items, edited), nameIn(items));
    return wrong ? errorOf(wrong) : [];
  });
}

/** The values to send: tables without their blank rows. */
export function sendable(items: readonly FieldItem[], edited: Edited): Record<string, unknown> {
  const tables = items.filter((item) => item.field_type_id === fieldType.table && item.field_key in edited);
  const filled = tables.map((item) => [item.field_key, rowsIn(edited[item.field_key]).filter((row) => !isBlank(row))]);
  return { ...edited, ...Object.fromEntries(filled) };
}

function empty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
