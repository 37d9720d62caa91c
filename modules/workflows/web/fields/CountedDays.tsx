import { Provisional } from '#modules/calendars/widgets.tsx';
import type { FieldItem } from '../../contract/shapes.ts';
import { computedOf } from '../../engine/fields/settled-items.ts';
import { countsWorkdays } from '../../engine/formula/settle.ts';

const daysIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(daysIn)
    : typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
      ? [value]
      : [];

/** Of a form that counts working days: that they are counted into a year whose holidays are not known, where that is so. */
export function CountedDays({
  items,
  edited = {},
}: {
  items: readonly FieldItem[];
  edited?: Readonly<Record<string, unknown>>;
}) {
  if (!countsWorkdays(items.map(computedOf))) return null;
  const last = items
    .flatMap(({ field_key, field_value }) => daysIn(field_key in edited ? edited[field_key] : field_value))
    .toSorted()
    .at(-1);
  return <Provisional day={last} />;
}
