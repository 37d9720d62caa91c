import type { core } from 'zod';
import { z } from 'zod';
import { codeSet } from './codes.ts';

type Schema = core.$ZodType;
type Values = Readonly<Record<string, unknown>>;

/** What a field says of itself: `.meta(field('每人每日条数', { help: '…' }))`. */
export interface FieldMeta {
  title: string;
  /** What heads it in a list and in a sheet, where the title says what the list is of as well: 名称 for 合同名称. */
  short?: string;
  /** Follows the heading: 元, 分钟. */
  unit?: string;
  help?: string;
  /** Fields from here on stand together under this. */
  group?: string;
  /** What is said of a password stands in no log; money is shown with its thousands and its fen. */
  kind?: 'textarea' | 'switch' | 'select' | 'password' | 'money';
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

/** What a field of a row says of itself, whose values are codes that have names: `.meta(coded('阶段', stage.names))`. */
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
    : (options?.find((option) => option.value === (typeof value === 'boolean' ? String(value) : value))?.label ??
      value);

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

/** What a field is called where its record is plain, without its unit: on a panel of facts, over a list. */
export function shortTitleOf(schema: Schema | undefined): string | undefined {
  const { title, short = title } = schema ? metaOf(schema) : {};
  return short;
}

/** What heads a field in a list and in a sheet. */
export function headingOf(schema: Schema): string | undefined {
  const [short, { unit }] = [shortTitleOf(schema), metaOf(schema)];
  return unit === undefined ? short : `${short}（${unit}）`;
}

/** What a value of a field is called, in a list as in a sheet: names of codes, of people, yes and no, several after each other. */
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

/** What a sheet says otherwise of a field than its schema does. */
interface SheetColumn<K> {
  key: K;
  /** Where the column shows more than its field. */
  heading?: string;
  show?: (value: never) => string | number | null;
}
/** Columns of a sheet from fields that say what they and their values are called. */
export const sheetColumns = <const S extends Readonly<Record<string, Schema>>>(
  shape: S,
  columns: readonly ((keyof S & string) | SheetColumn<keyof S & string>)[],
) =>
  columns.map((column) => {
    const { key, heading, show } = typeof column === 'string' ? { key: column } : column;
    return { key, title: heading ?? headingOf(shape[key]!) ?? key, show: show ?? shownAs(shape[key]!) };
  });

/** Fields of a row, each called as the form calls the field of its name, unless it says itself what it is called. */
export function titledAs<R extends z.ZodRawShape>(form: Readonly<Record<string, Schema>>, row: R): R {
  const named = ([key, schema]: [string, z.core.$ZodType]): [string, z.core.$ZodType] => {
    const own = form[key];
    if (!own || titleOf(schema) !== undefined) return [key, schema];
    const { title, short, unit, options, kind } = metaOf(own);
    const said = { title, short, unit, options, kind: kind === 'money' ? kind : undefined };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    return [key, title === undefined ? schema : (schema as z.ZodType).meta(given)];
  };
  return Object.fromEntries(Object.entries(row).map(named)) as unknown as R;
}
