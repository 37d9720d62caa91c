import { isDeptType, isPeopleType } from '../codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';

type Shape = Pick<FieldItem, 'field_type_id' | 'field_choice' | 'boolean_field_display'>;

/** What a department goes by where names of people and departments are kept together. */
export const deptKey = (id: unknown): string => `dept:${String(id)}`;

/** The department behind such a key; null for a user name. */
export const deptOf = (key: string): number | null => (key.startsWith('dept:') ? Number(key.slice(5)) : null);

/** A plain value in words: names of people (`names` by user name) and of departments (by `deptKey`), labels of choices, words for yes and no. */
export function valueWords(shape: Shape, value: unknown, names: Readonly<Record<string, string>>): string {
  if (typeof value === 'boolean') return shape.boolean_field_display[value ? '1' : '0'];
  const person = isPeopleType(shape.field_type_id);
  const dept = isDeptType(shape.field_type_id);
  return [value ?? []]
    .flat()
    .map(
      (one) =>
        shape.field_choice[String(one)] ??
        (person ? names[String(one)] : dept ? names[deptKey(one)] : undefined) ??
        String(one),
    )
    .join('、');
}
