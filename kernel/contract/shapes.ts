import { z } from 'zod';
import { inOrder } from './words/periods.ts';
import { mobileOf, telephoneOf } from './words/mobile.ts';
import { personNameOf } from './words/person-name.ts';
import { plainCode } from './words/plainly.ts';
import { unfilled } from './refusal.ts';

/** The default and the maximum number of rows on a page. */
export const defaultPerPage = 10;
export const maxPerPage = 100;
/** The limit of the total beside a list's first pages, and the limit of badge counts and of reachable pages. */
export const listedTotal = 1000;
export const exactTotal = 10_000;

/** A positive integer, also when it arrives as digits in a query or a path. */
export const id = z.coerce.number().int().positive().max(2_147_483_647);
export const idParams = z.object({ id });
export const flag = z.union([
  z.boolean(),
  z.enum(['0', '1', 'true', 'false']).transform((v) => v === '1' || v === 'true'),
]);
/** Optimistic lock: checked when sent (the number a record was read with). */
export const version = z.number().int().nonnegative().optional();
/** An IP address or a network, with every part written out: other programs read short or octal parts differently. */
export const addressRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: ({ input }) =>
    `${typeof input === 'string' ? `“${input.slice(0, 50)}”` : ''}不是 IP 地址或网段，请填写如 10.0.0.0/8`,
});
/** `YYYY-MM-DD HH:mm:ss`, Asia/Shanghai. */
export const timestamp = z.string();
/** True if a date or time lies in the years 1900 to 2099; other years are typing mistakes. */
export const isOfOurYears = (text: string): boolean => /^(19|20)\d\d-/.test(text);
export const ofOurYears = (what: '日期' | '时间') => `请输入 1900 至 2099 年之间的${what}`;
/** `YYYY-MM-DD` of the years 1900 to 2099. `error` is the message for anything that is not a date. */
export const dayOr = (error?: string) =>
  z.iso.date({ abort: true, ...(error && { error }) }).refine(isOfOurYears, ofOurYears('日期'));
export const day = dayOr();
/**
 * A time of Asia/Shanghai between the given year and 2099, as a browser's field writes it; parsed to `YYYY-MM-DD HH:mm:ss`, with missing parts filled
 * in.
 */
export const momentSince = (first: number) =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, '请输入正确的时间，如 2026-03-01 09:30')
    .refine((value) => value >= `${first}` && value < '2100', `请输入 ${first} 至 2099 年之间的时间`)
    .refine((value) => isDay(value.slice(0, 10)), '没有这一天')
    .meta({ kind: 'moment' })
    .transform((value) => value.replace('T', ' ').padEnd(19, ':00'));
export const localMoment = momentSince(2000);

/** True if a text is `YYYY-MM-DD` of a day that exists. */
export function isDay(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
}

/** Invisible characters, and those that reverse the text after them. Joiners and selectors combine with the character before them. */
const unseen = new RegExp(
  [
    /[\u00AD\u115F\u1160\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0]/,
    /^(?:\s|\p{Join_Control}|\p{Variation_Selector})+/u,
    /(?:\s|\p{Join_Control})+$/u,
  ]
    .map((one) => one.source)
    .join('|'),
  'gu',
);
/** Removes invisible characters and blanks at both ends; '' if nothing visible remains. */
export function seenOf(value: string): string {
  const seen = value.replace(unseen, '');
  return seen === value ? value : seenOf(seen);
}

/** A line of text after `written` was applied, without control characters, at most `max` characters. */
function lineAs(max: number, written: (typed: string) => string) {
  return z
    .string()
    .overwrite(written)
    .max(max, `最多 ${max} 个字`)
    .regex(/^\P{Cc}*$/u, '不能包含控制字符');
}
/** A line of text without invisible characters. */
export function line(max: number) {
  return lineAs(max, seenOf);
}
/** A line of text that is not empty. */
export function name(max: number) {
  return line(max).min(1, unfilled);
}
/** The name of a person in its normal form, however it was typed; may be empty. */
export function personLine(max: number) {
  return lineAs(max, (typed) => personNameOf(seenOf(typed)));
}
/** The name of a person; not empty. */
export function personName(max: number) {
  return personLine(max).min(1, unfilled);
}
/** A telephone number of any kind, however it was typed; may be empty. */
export function telephone(max: number) {
  return lineAs(max, (typed) => telephoneOf(seenOf(typed)));
}
/** A code that a person types, in any width and grouping. */
export const typedCode = z.string().overwrite(plainCode);
export const sixDigits = (otherwise: string) => typedCode.regex(/^\d{6}$/, otherwise);
/** The fields of a change: a field that is not sent keeps its value. Defaults are dropped, because they would overwrite the stored values. */
export function partialOf<const S extends z.ZodRawShape>(shape: S): Partially<S> {
  const one = (schema: z.ZodType) => {
    const meta = z.globalRegistry.get(schema);
    const optional = (schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema).optional();
    return meta ? optional.meta(meta) : optional;
  };
  const fields: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [key, one(schema as z.ZodType)]),
  );
  return fields as Partially<S>;
}
type Partially<S extends z.ZodRawShape> = {
  -readonly [K in keyof S]: z.ZodOptional<S[K] extends z.ZodDefault<infer D> ? D : S[K]>;
};
/** Replaces the line and page breaks of text processors by line ends. */
export const withPlainBreaks = (value: string) => value.replace(/[\v\f\u0085\u2028\u2029]/g, '\n');
/** Several lines without control characters except tabs and line ends. */
export const severalLines = /^[\t\n\r\P{Cc}]*$/u;
/** Text of several lines. */
export function text(max: number) {
  return z
    .string()
    .overwrite((value) => seenOf(withPlainBreaks(value)))
    .max(max, `最多 ${max} 个字`)
    .regex(severalLines, '不能包含控制字符');
}
/** An address that people click: a web page, never a script. May be empty. */
export const webAddress = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `最多 ${max} 个字`)
    .regex(/^(https?:\/\/[^\s\p{Cc}]+)?$/u, '请填写以 http:// 或 https:// 开头的网址')
    .default('');
/** A mobile number of mainland China, however it is grouped. */
export const phone = z
  .string()
  .overwrite((typed) => mobileOf(typed) ?? typed)
  .regex(/^1[3-9]\d{9}$/, '请输入 11 位手机号');

export interface ListShape<S extends string, F extends z.ZodRawShape> {
  /** Columns a list may be ordered by; the first is the default, newest or smallest first as the module says. */
  sort: readonly [S, ...S[]];
  filters?: F;
}
/**
 * Query of a list: paging, search, whitelisted order, filters. An unknown parameter is refused by name, so that nobody takes the whole list for a
 * filtered one.
 */
export function listQuery<const S extends string, F extends z.ZodRawShape = Record<never, never>>(
  shape: ListShape<S, F>,
) {
  const schema = z.strictObject({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    per_page: z.coerce.number().int().min(1).max(maxPerPage, `每页最多 ${maxPerPage} 条`).default(defaultPerPage),
    search_value: z
      .string()
      .trim()
      .max(100, '搜索内容最多 100 个字')
      .regex(/^[^\0]*$/u, '含有无法搜索的字符')
      .default(''),
    order_by: z.enum(shape.sort).optional(),
    desc: flag.optional(),
    export: z.enum(['xlsx']).optional(),
    ...((shape.filters ?? {}) as F),
  });
  return inOrder(schema, Object.keys(shape.filters ?? {}));
}
/**
 * Reply of a list. `total` is exact up to 1,000, and always exact as far as the next pages reach; if `total_capped` is true there are more rows than
 * `total`, and pages behind it can be read too.
 */
export function listOf<R extends z.ZodType>(row: R) {
  return z.object({
    value: z.array(row),
    total: z.number().int(),
    total_capped: z.boolean().optional(),
    page: z.number().int(),
    per_page: z.number().int(),
  });
}
export const done = z.object({ id: z.number().int().optional() });

/** Actions that this person may take on a row now; the server decides, and buttons on a row follow only these. */
export const actions = z.array(z.string());

/** One code of a set, given the names of its codes. */
export const codesOf = <const N extends Readonly<Record<number, string>>>(names: N) =>
  z.literal(Object.keys(names).map(Number) as (keyof N & number)[]);
