import type { core } from 'zod';
import { metaOf } from '#kernel/contract/titles.ts';
import type { FormField } from './FieldInput.tsx';

/** Fields of their own instead of what the shape says of them, by their names; null leaves one out. */
export type Instead = Readonly<Record<string, Partial<FormField> | null>>;

/** The fields of a form as a shape gives them, in its order. */
export function fieldsOf(shape: Readonly<Record<string, core.$ZodType>>, instead: Instead = {}): FormField[] {
  return Object.entries(shape).flatMap(([name, schema]): FormField[] => {
    const { title = name, hidden, help, group, kind, options, multiple } = metaOf(schema);
    if (hidden || instead[name] === null) return [];
    const said = { help, group, kind, options: options && [...options], multiple };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    return [{ name, label: title, ...given, ...instead[name] }];
  });
}

/** What new values begin with, as far as a shape says. */
export const defaultsOf = (shape: Readonly<Record<string, core.$ZodType>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const def = schema._zod.def as { type: string; defaultValue?: unknown };
      return def.type === 'default' ? [[name, def.defaultValue]] : [];
    }),
  );
