import type { core } from 'zod';
import { z } from 'zod';
import { codeSet } from './codes.ts';

type Schema = core.$ZodType;
type Values = Readonly<Record<string, unknown>>;

/** The metadata of a field: `.meta(field('每人每日条数', { help: '…' }))`. */
export interface FieldMeta {
  title: string;
  /** The heading in a list or sheet that already names the record: 名称 for 合同名称. */
  short?: string;
  /** Follows the heading: 元, 分钟. */
  unit?: string;
  help?: string;
  /** The heading of the group that starts with this field. */
  group?: string;
  /** Passwords never appear in the log; money is shown with thousands separators and fen. */
  kind?: 'textarea' | 'switch' | 'select' | 'password' | 'money';
  /** The labels of its values, which the operation log uses too. */
  options?: readonly { value: string | number; label: string }[];
  multiple?: boolean;
  /** The field is in no form. */
  hidden?: boolean;
}
export const field = (title: string, more: Omit<FieldMeta, 'title'> = {}): Record<string, unknown> & FieldMeta => ({
  title,
  ...more,
});

/** Returns the options of a select for values with names. */
export const optionsOf = (names: Readonly<Record<number, string>>): { value: number; label: string }[] =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }));

/** The metadata of a field of a row whose values are codes with names: `.meta(coded('阶段', stage.names))`. */
export const coded = (title: string, names: Readonly<Record<string, string>>, more: Omit<FieldMeta, 'title'> = {}) =>
  field(title, {
    options: Object.entries(names).map(([code, label]) => ({ value: /^\d+$/.test(code) ? Number(code) : code, label })),
    ...more,
  });

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

/** Returns the metadata of a field, also inside optional, nullable, default and transformed schemas. */
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
    : (options?.find((option) => option.value === (typeof value === 'boolean' ? String(value) : value))?.label ??
      value);

/** Returns values by the titles of their fields, as the operation log shows them; passwords and fields without a title are left out. */
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

/** Returns the short title of a field without its unit, for places where the record is known: a panel of facts, the head of a list. */
export function shortTitleOf(schema: Schema | undefined): string | undefined {
  const { title, short = title } = schema ? metaOf(schema) : {};
  return short;
}

/** Returns the heading of a field in a list and in a sheet. */
export function headingOf(schema: Schema): string | undefined {
  const [short, { unit }] = [shortTitleOf(schema), metaOf(schema)];
  return unit === undefined ? short : `${short}（${unit}）`;
}

/** Returns the text of a field's value, the same in lists and sheets: labels of codes, names of people, yes or no; several values are joined. */
export function shownAs(schema: Schema): (value: unknown) => string | number | null {
  const { options } = metaOf(schema);
  const one = (value: unknown): string | number | null => {
    const called = labelled(options, value);
    if (typeof called === 'boolean') return called ? '是' : '否';
    if (typeof called === 'object' && called !== null && 'alias' in called) return String(called.alias);
    return called as string | number | null;
  };
  return (value) => (Array.isArray(value) ? value.map(one).join('、') : one(value));
}

/** A column of a sheet that differs from the schema of its field. */
interface SheetColumn<K> {
  key: K;
  /** The heading, if the column shows more than its field. */
  heading?: string;
  show?(value: unknown): string | number | null;
}
/** Returns columns of a sheet from fields whose metadata names them and their values. */
export const sheetColumns = <const S extends Readonly<Record<string, Schema>>>(
  shape: S,
  columns: readonly ((keyof S & string) | SheetColumn<keyof S & string>)[],
) =>
  columns.map((column) => {
    const { key, heading, show } = typeof column === 'string' ? { key: column } : column;
    return { key, title: heading ?? headingOf(shape[key]!) ?? key, show: show ?? shownAs(shape[key]!) };
  });

/** Returns the fields of a row, each titled like the form's field of the same name unless it has a title of its own. */
export function titledAs<R extends z.ZodRawShape>(form: Readonly<Record<string, Schema>>, row: R): R {
  const named = ([key, schema]: [string, z.core.$ZodType]): [string, z.core.$ZodType] => {
    const own = form[key];
    if (!own || titleOf(schema) !== undefined) return [key, schema];
    const { title, short, unit, options, kind } = metaOf(own);
    const said = { title, short, unit, options, kind: kind === 'money' ? kind : undefined };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    return [key, title === undefined ? schema : (schema as z.ZodType).meta(given)];
  };
  return Object.fromEntries(Object.entries(row).map(named)) as R;
}
