import { isEmpty } from '../condition.ts';
import type { Works } from '../formula/evaluate.ts';
import { isComputed } from '../formula/formula.ts';
import { countedBefore, settleForm, type Computed } from '../formula/settle.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { valueIn } from './dates.ts';

type Shape = Omit<FieldItem['columns'][number], 'field_attribute'>;

export const computedOf = (item: Shape & { columns?: FieldItem['columns'] }): Computed => ({
  key: item.field_key,
  type: item.field_type_id,
  decimals: item.decimals,
  formula: item.formula,
  days_between: item.days_between,
  shown_when: item.shown_when,
  required_when: item.required_when,
  columns: (item.columns ?? []).map((column) => computedOf(column)),
});

/**
 * The fields of a form while somebody types: computed as the server will compute them, without hidden ones, with conditionally required ones marked.
 * `begun`: somebody else has sent it, so counts based on the calendar stay.
 */
export function settledItems<I extends FieldItem>(
  items: readonly I[],
  edited: Readonly<Record<string, unknown>>,
  works?: Works,
  begun = false,
): I[] {
  const fields = items.map(computedOf);
  if (!fields.some((one) => isComputed(one) || one.shown_when || one.required_when)) return [...items];
  const typed = valueIn(items, edited);
  const form = Object.fromEntries(items.map(({ field_key: key }) => [key, typed(key) ?? null]));
  const sent = Object.fromEntries(items.map(({ field_key: key, field_value }) => [key, field_value]));
  const before = begun ? countedBefore(fields, sent, Object.keys(edited)) : {};
  const writable = new Set(items.flatMap((item) => (item.field_attribute === 1 ? [] : item.field_key)));
  const { values, hidden, required } = settleForm(fields, form, (key) => writable.has(key), works, before);
  return items
    .filter((item) => !hidden.has(item.field_key))
    .map((item) => {
      const value = values[item.field_key] ?? null;
      if (isComputed(item)) return { ...item, field_value: value, field_display: isEmpty(value) ? '' : String(value) };
      return item.field_attribute === 3 && required.has(item.field_key)
        ? { ...item, field_attribute: 2 as const }
        : item;
    });
}
