import type { core } from 'zod';
import type { Call } from '#kernel/contract/call.ts';
import { shownAs, titleOf } from '#kernel/contract/titles.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { pinyinOf } from './pinyin.ts';

type Row = Readonly<Record<string, unknown>>;
interface Def {
  type: string;
  shape?: Record<string, core.$ZodType>;
  in?: core.$ZodType;
  element?: core.$ZodType;
  options?: core.$ZodType[];
  getter?: () => core.$ZodType;
}

/** The names of the fields of a schema; null if they cannot be determined. */
export function namesIn(schema: core.$ZodType): ReadonlySet<string> | null {
  const { shape, in: first } = schema._zod.def as Def;
  if (first) return namesIn(first);
  return shape ? new Set(Object.keys(shape)) : null;
}

/** The titled fields of a row, each with the text that the list shows for it. */
type Shown = readonly (readonly [key: string, (value: unknown) => string | number | null])[];
const wholeLists = new WeakMap<Call, Shown | null>();

/** The fields that the rows of a whole list show; null if the call returns pages, searches by itself or returns no list. */
function shownBy(call: Call): Shown | null {
  let known = wholeLists.get(call);
  if (known === undefined) {
    const row = rowOf(call);
    wholeLists.set(call, (known = row && fieldsIn(row)));
  }
  return known;
}

/** True if a call returns a whole list, without pages or a search of its own: it then accepts `search_value` all the same. */
export const isWholeList = (call: Call): boolean => shownBy(call) !== null;

function rowOf({ method, writes, access, query, reply }: Call): core.$ZodType | null {
  if (method !== 'GET' || typeof reply === 'symbol' || (access.kind !== 'grant' && access.kind !== 'session'))
    return null;
  const asked = query && namesIn(query);
  // A list with a limit is not whole.
  if (writes || asked?.has('search_value') || asked?.has('limit')) return null;
  const { type, shape } = reply._zod.def as Def;
  const rows = type === 'object' ? shape?.['value'] : reply;
  const { type: many, element } = (rows?._zod.def ?? {}) as Partial<Def>;
  return many === 'array' && element !== undefined ? element : null;
}

/** The titled fields of all kinds of a row; null if it has no fields: plain words and numbers have no names to search, and a search would leave none of them. */
function fieldsIn(schema: core.$ZodType): Shown | null {
  const { type, shape = {}, in: first, options, getter } = schema._zod.def as Def;
  if (getter) return fieldsIn(getter());
  if (options) {
    const each = options.map(fieldsIn);
    return each.includes(null) ? null : each.flatMap((one) => one ?? []);
  }
  if (first) return fieldsIn(first);
  if (type !== 'object') return null;
  return Object.entries(shape).flatMap(([key, field]) =>
    titleOf(field) === undefined ? [] : [[key, shownAs(field)] as const],
  );
}

/** Returns only the rows of a whole list that a search finds. */
export function searchWhole(call: Call, data: unknown, typed: string): unknown {
  const shown = shownBy(call);
  const words = wordsOf(typed);
  if (shown === null || words.length === 0) return data;
  if (Array.isArray(data)) return rowsWith(data as Row[], shown, words);
  const { value, ...rest } = data as { value: Row[] };
  return { ...rest, value: rowsWith(value, shown, words) };
}

/** True if a search finds something by its name alone. */
export const isFoundBy = (name: string, typed: string): boolean => shows({ name }, [], wordsOf(typed));

const wordsOf = (typed: string) => typed.split(/\s+/u).flatMap((word) => plainly(word) || []);

/** A branch of a tree is kept if something below it is found. */
const rowsWith = (rows: readonly Row[], shown: Shown, words: readonly string[]): Row[] =>
  rows.flatMap((row) => {
    if (shows(row, shown, words)) return [row];
    const below = Array.isArray(row['children']) ? rowsWith(row['children'] as Row[], shown, words) : [];
    return below.length > 0 ? [{ ...row, children: below }] : [];
  });

/** Rows are found by these keys even if no column shows them. */
const namedBy = [
  'name',
  'title',
  'alias',
  'label',
  'username',
  'app_name',
  'code',
  'agency_code',
  'stamp_name',
  'room_name',
];

/** False for values other than text, codes and people, because their columns render them in their own way. */
const isPlain = (value: unknown) => typeof value !== 'object' || (value !== null && 'alias' in value);
const isText = (value: unknown): value is string => typeof value === 'string';

/** True if each word is part of a name or a shown text of the row, or of the pinyin of a name. */
function shows(row: Row, shown: Shown, words: readonly string[]): boolean {
  const names = namedBy.map((key) => row[key]).filter(isText);
  const cells = shown.map(([key, textOf]) => isPlain(row[key]) && textOf(row[key])).filter(isText);
  return words.every(
    (word) =>
      [...names, ...cells].some((text) => plainly(text).includes(word)) ||
      (/^[a-z]+$/.test(word) && names.some((name) => pinyinOf(name).some((way) => way.startsWith(word)))),
  );
}
