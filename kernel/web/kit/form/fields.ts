import type { core } from 'zod';
import { metaOf, titleOf } from '#kernel/contract/titles.ts';
import type { FormField, NamedField } from './FieldInput.tsx';

/** Fields of their own instead of what the shape says of them, by their names; null leaves one out. */
export type Instead = Readonly<Record<string, Partial<FormField> | null>>;

/** The fields of a form as a shape gives them, in its order. */
export function fieldsOf(shape: Readonly<Record<string, core.$ZodType>>, instead: Instead = {}): NamedField[] {
  return Object.entries(shape).flatMap(([name, schema]): NamedField[] => {
    const { title = name, hidden, help, group, kind, options, multiple } = metaOf(schema);
    if (hidden || instead[name] === null) return [];
    const said = { help, group, kind, options: options && [...options], multiple };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    return [{ name, label: title, ...given, ...instead[name] }];
  });
}

/** Fields with what they are called: as the shape says, where they do not say it themselves. */
export const namedFields = (
  shape: Readonly<Record<string, core.$ZodType>>,
  fields: readonly FormField[],
): NamedField[] =>
  fields.map((field) => {
    const schema = shape[field.name];
    return { ...field, label: field.label ?? (schema && titleOf(schema)) ?? field.name };
  });

/** What new values begin with, as far as a shape says. */
export const defaultsOf = (shape: Readonly<Record<string, core.$ZodType>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const def = schema._zod.def as { type: string; defaultValue?: unknown };
      return def.type === 'default' ? [[name, def.defaultValue]] : [];
    }),
  );
