import type { core } from 'zod';
import type { Call } from '#kernel/contract/call.ts';
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

const wholeLists = new WeakMap<Call, boolean>();

/** True if a call returns a whole list, without pages or a search of its own: it then accepts `search_value` all the same. */
export function isWholeList(call: Call): boolean {
  let known = wholeLists.get(call);
  if (known === undefined) wholeLists.set(call, (known = givesRows(call)));
  return known;
}

function givesRows({ method, writes, access, query, reply }: Call): boolean {
  if (method !== 'GET' || typeof reply === 'symbol' || (access.kind !== 'grant' && access.kind !== 'session'))
    return false;
  const asked = query && namesIn(query);
  // A list with a limit is not whole.
  if (writes || asked?.has('search_value') || asked?.has('limit')) return false;
  const { type, shape } = reply._zod.def as Def;
  const rows = type === 'object' ? shape?.['value'] : reply;
  const { type: many, element } = (rows?._zod.def ?? {}) as Partial<Def>;
  // Plain words and numbers have no names to search: a search would leave none of them.
  return many === 'array' && element !== undefined && isOfFields(element);
}

/** True if a schema describes rows with fields, also if there are several kinds of rows. */
function isOfFields(schema: core.$ZodType): boolean {
  const { type, in: first, options, getter } = schema._zod.def as Def;
  if (getter) return isOfFields(getter());
  if (options) return options.every(isOfFields);
  return first ? isOfFields(first) : type === 'object';
}

/** Returns only the rows of a whole list that a search finds. */
export function searchWhole(data: unknown, typed: string): unknown {
  const words = typed.split(/\s+/u).flatMap((word) => plainly(word) || []);
  if (words.length === 0) return data;
  if (Array.isArray(data)) return rowsWith(data as Row[], words);
  const { value, ...rest } = data as { value: Row[] };
  return { ...rest, value: rowsWith(value, words) };
}

/** A branch of a tree is kept if something below it is found. */
const rowsWith = (rows: readonly Row[], words: readonly string[]): Row[] =>
  rows.flatMap((row) => {
    if (shows(row, words)) return [row];
    const below = Array.isArray(row['children']) ? rowsWith(row['children'] as Row[], words) : [];
    return below.length > 0 ? [{ ...row, children: below }] : [];
  });

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

/** True if each word is part of one of the row's names, or of its pinyin. */
function shows(row: Row, words: readonly string[]): boolean {
  const names = namedBy.flatMap((key) => (typeof row[key] === 'string' ? [row[key]] : []));
  return words.every((word) =>
    names.some(
      (name) =>
        plainly(name).includes(word) || (/^[a-z]+$/.test(word) && pinyinOf(name).some((way) => way.startsWith(word))),
    ),
  );
}
