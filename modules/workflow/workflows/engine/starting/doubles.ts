import { isEmpty } from '../condition.ts';
import type { Definition, Doubles, Field } from '../definition.ts';
import { fieldType } from '../codes.ts';
import { several, single, texts } from '../fields/askable.ts';

const lists: readonly number[] = [fieldType.checkbox, fieldType.multiSelect, fieldType.users];

/** True if two values of a field can be told to be the same: not for files, tables and lists without an order. */
export const isComparable = ({ type }: Pick<Field, 'type'>): boolean =>
  type === fieldType.dept || ([...single, ...several, ...texts].includes(type) && !lists.includes(type));

/** The values that no other ticket may hold together; null if there are none or one is missing, because then nothing is known to be the same. */
export function doubledValues(
  { fields }: Doubles,
  form: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  if (fields.length === 0 || fields.some((key) => isEmpty(form[key]))) return null;
  return Object.fromEntries(fields.map((key) => [key, form[key]]));
}

/** The names of the fields that must not stand twice. */
export const namesOfDoubled = ({ fields }: Pick<Definition, 'fields'>, doubles: Doubles): string[] =>
  doubles.fields.map((key) => fields.find((field) => field.key === key)?.name ?? key);
