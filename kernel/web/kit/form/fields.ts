import type { core } from 'zod';
import { metaOf, titleOf } from '#kernel/contract/titles.ts';
import type { FormField, NamedField } from './FieldInput.tsx';

/** Changes to fields of a shape, by their names; null leaves a field out. */
export type Instead = Readonly<Record<string, Partial<FormField> | null>>;

/** The fields of a form from a shape, in its order. */
export function fieldsOf(shape: Readonly<Record<string, core.$ZodType>>, instead: Instead = {}): NamedField[] {
  return Object.entries(shape).flatMap(([name, schema]): NamedField[] => {
    const { title = name, hidden, help, group, kind, options, multiple } = metaOf(schema);
    if (hidden || instead[name] === null) return [];
    const said = { help, group, kind, options: options && [...options], multiple };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    return [{ name, label: title, ...given, ...instead[name] }];
  });
}

/** Adds labels from the shape to fields without one. */
export const namedFields = (
  shape: Readonly<Record<string, core.$ZodType>>,
  fields: readonly FormField[],
): NamedField[] =>
  fields.map((field) => {
    const schema = shape[field.name];
    return { ...field, label: field.label ?? (schema && titleOf(schema)) ?? field.name };
  });

/** The default values that a shape declares. */
export const defaultsOf = (shape: Readonly<Record<string, core.$ZodType>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const def = schema._zod.def as { type: string; defaultValue?: unknown };
      return def.type === 'default' ? [[name, def.defaultValue]] : [];
    }),
  );
