import type { FieldType } from '../codes.ts';
import { countedDays } from '../check/date-pairs.ts';
import type { FieldItem } from '../../contract/shapes.ts';

type Edited = Readonly<Record<string, unknown>>;

export const pairOf = ({ field_key, field_type_id, not_before, days_between }: FieldItem) => ({
  key: field_key,
  type: field_type_id as FieldType,
  not_before: not_before ?? undefined,
  days_between: days_between ?? undefined,
});
/** What a form holds now: what was typed, else what was there. */
export const valueIn = (items: readonly FieldItem[], edited: Edited) => (key: string) =>
  key in edited ? edited[key] : items.find((item) => item.field_key === key)?.field_value;
export const nameIn = (items: readonly FieldItem[]) => (key: string) =>
  items.find((item) => item.field_key === key)?.field_name ?? key;

/** A form after a field was edited: the days between two dates follow them, unless somebody wrote another number. */
export function withDays(items: readonly FieldItem[], before: Edited, key: string, value: unknown): Edited {
  const after: Record<string, unknown> = { ...before, [key]: value };
  for (const item of items) {
    if (
      item.field_attribute === 1 ||
      !item.days_between ||
      ![item.days_between.from, item.days_between.to].includes(key)
    )
      continue;
    const had = valueIn(items, before)(item.field_key) ?? null;
    const counted = countedDays(pairOf(item), valueIn(items, before));
    const now = countedDays(pairOf(item), valueIn(items, after));
    if (now !== null && (had === null || had === counted)) after[item.field_key] = now;
  }
  return after;
}
