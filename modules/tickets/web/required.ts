import type { FieldError } from '#kernel/contract/refusal.ts';
import type { FieldItem } from '#modules/workflows/contract/shapes.ts';

/** Required fields without a value, told before anything is sent; the server decides all the same. */
export function missing(items: readonly FieldItem[], edited: Readonly<Record<string, unknown>>): FieldError[] {
  return items
    .filter((item) => item.field_attribute === 2)
    .filter((item) => empty(item.field_key in edited ? edited[item.field_key] : item.field_value))
    .map((item) => ({ field: item.field_key, label: item.field_name, msg: '不能为空' }));
}

function empty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
