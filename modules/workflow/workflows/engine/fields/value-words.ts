import { fieldType, isDeptType, isPathType, isPeopleType } from '../codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { pathWords } from './choice-tree.ts';

type Shape = Pick<FieldItem, 'field_type_id' | 'field_choice' | 'boolean_field_display'>;

/** The key of a department where names of people and departments are kept together. */
export const deptKey = (id: unknown): string => `dept:${String(id)}`;

/** The department of such a key; null for a user name. */
export const deptOf = (key: string): number | null => (key.startsWith('dept:') ? Number(key.slice(5)) : null);

/** The key of a region where names of people are kept. */
export const regionKey = (code: unknown): string => `region:${String(code)}`;
export const isRegionKey = (key: string): boolean => key.startsWith('region:');

/** A plain value in words: names of people (`names` by user name) and of departments (by `deptKey`), labels of choices, words for yes and no. */
export function valueWords(shape: Shape, value: unknown, names: Readonly<Record<string, string>>): string {
  if (typeof value === 'boolean') return shape.boolean_field_display[value ? '1' : '0'];
  const person = isPeopleType(shape.field_type_id);
  const dept = isDeptType(shape.field_type_id);
  const region = shape.field_type_id === fieldType.region;
  const said = [value ?? []]
    .flat()
    .map(
      (one) =>
        shape.field_choice[String(one)] ??
        (person ? names[String(one)] : dept ? names[deptKey(one)] : region ? names[regionKey(one)] : undefined) ??
        String(one),
    );
  if (isPathType(shape.field_type_id)) return pathWords(said);
  return said.join(shape.field_type_id === fieldType.dateRange ? ' 至 ' : '、');
}
