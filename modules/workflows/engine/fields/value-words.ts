import { fieldType } from '../codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';

type Shape = Pick<FieldItem, 'field_type_id' | 'field_choice' | 'boolean_field_display'>;

/** A plain value in words: names of people (`names` by user name), labels of choices, words for yes and no. */
export function valueWords(shape: Shape, value: unknown, names: Readonly<Record<string, string>>): string {
  if (typeof value === 'boolean') return shape.boolean_field_display[value ? '1' : '0'];
  const person = shape.field_type_id === fieldType.user || shape.field_type_id === fieldType.users;
  return [value ?? []]
    .flat()
    .map((one) => shape.field_choice[String(one)] ?? (person ? names[String(one)] : undefined) ?? String(one))
    .join('、');
}
