import { Provisional } from '#modules/platform/calendars/widgets.tsx';
import type { FieldItem } from '../../contract/shapes.ts';
import { computedOf } from '../../engine/fields/settled-items.ts';
import { countedDates } from '../../engine/formula/settle.ts';

const daysIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(daysIn)
    : typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
      ? [value]
      : [];

/** For a form that counts working days: a note if they reach into a year whose holidays are not known. */
export function CountedDays({
  items,
  edited = {},
}: {
  items: readonly FieldItem[];
  edited?: Readonly<Record<string, unknown>>;
}) {
  const values = Object.fromEntries(items.map(({ field_key: key, field_value }) => [key, field_value]));
  const counted = countedDates(items.map(computedOf), { ...values, ...edited });
  return <Provisional day={daysIn(counted).toSorted().at(-1)} />;
}
