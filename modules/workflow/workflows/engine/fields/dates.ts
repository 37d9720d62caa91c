import type { FieldType } from '../codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';

type Edited = Readonly<Record<string, unknown>>;

export const pairOf = ({ field_key, field_type_id, not_before, days_between }: FieldItem) => ({
  key: field_key,
  type: field_type_id as FieldType,
  not_before: not_before ?? undefined,
  days_between: days_between ?? undefined,
});
/** A field's present value: as typed, else as stored. */
export const valueIn = (items: readonly FieldItem[], edited: Edited) => (key: string) =>
  key in edited ? edited[key] : items.find((item) => item.field_key === key)?.field_value;
export const nameIn = (items: readonly FieldItem[]) => (key: string) =>
  items.find((item) => item.field_key === key)?.field_name ?? key;
