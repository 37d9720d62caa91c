import type { core } from 'zod';
import { z } from 'zod';
import { codeSet } from './codes.ts';

type Schema = core.$ZodType;
type Values = Readonly<Record<string, unknown>>;

/** What a field says of itself: `.meta(field('每人每日条数', { help: '…' }))`. */
export interface FieldMeta {
  title: string;
  help?: string;
  /** Fields from here on stand together under this. */
  group?: string;
  /** What is said of a password stands in no log. */
  kind?: 'textarea' | 'switch' | 'select' | 'password';
  /** What its values are called; the operation log says them so. */
  options?: readonly { value: string | number; label: string }[];
  multiple?: boolean;
  /** In no form. */
  hidden?: boolean;
}
export const field = (title: string, more: Omit<FieldMeta, 'title'> = {}): Record<string, unknown> & FieldMeta => ({
  title,
  ...more,
});

/** What a select offers of values that have names. */
export const optionsOf = (names: Readonly<Record<number, string>>): { value: number; label: string }[] =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }));

/** One of a few numbers that have names. */
export const choice = <const N extends Readonly<Record<number, string>>>(
  title: string,
  names: N,
  more: Omit<FieldMeta, 'title'> = {},
) =>
  z
    .literal(Object.keys(names).map(Number) as (keyof N & number)[], `请选择${title}`)
    .meta(field(title, { kind: 'select', options: optionsOf(names), ...more }));
export const onOff = codeSet({ off: [0, '停用'], on: [1, '启用'] });

/** What a field says of itself, also inside optional, nullable, default and what is transformed. */
export function metaOf(schema: Schema): Partial<FieldMeta> {
  const def = schema._zod.def as { innerType?: Schema; in?: Schema };
  const inner = def.innerType ?? def.in;
  return (z.globalRegistry.get(schema as z.ZodType) as FieldMeta | undefined) ?? (inner ? metaOf(inner) : {});
}

/** The Chinese title a field was given (`.meta({ title })`). */
export const titleOf = (schema: Schema): string | undefined => metaOf(schema).title;

const labelled = (options: FieldMeta['options'], value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => labelled(options, one))
    : (options?.find((option) => option.value === value)?.label ?? value);

/** Values by the titles of their fields, as the operation log shows them; what has no title, and passwords, are left out. */
export function titled(schema: Schema, values: Values): Record<string, unknown> {
  const { shape = {} } = schema._zod.def as { shape?: Record<string, Schema> };
  return Object.fromEntries(
    Object.entries(shape).flatMap(([key, one]) => {
      const { title, options, kind } = metaOf(one);
      return title === undefined || kind === 'password' || !(key in values)
        ? []
        : [[title, labelled(options, values[key] ?? null)]];
    }),
  );
}

const shownAs = (schema: Schema) => {
  const { options } = metaOf(schema);
  const one = (value: unknown): string | number | null =>
    typeof value === 'boolean' ? (value ? '是' : '否') : (labelled(options, value) as string | number | null);
  return (value: unknown) => (Array.isArray(value) ? value.map(one).join('、') : one(value));
};
/** Columns of a sheet from fields that say what they and their values are called. */
export const sheetColumns = <const S extends Readonly<Record<string, Schema>>>(
  shape: S,
  keys: readonly (keyof S & string)[],
) => keys.map((key) => ({ key, title: titleOf(shape[key]!) ?? key, show: shownAs(shape[key]!) }));
