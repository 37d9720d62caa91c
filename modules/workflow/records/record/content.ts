import { createHash } from 'node:crypto';
import type { ZodObject } from 'zod';
import { titleOf } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import type { RecordContent } from '#modules/workflow/tickets/service.ts';

/** Describes which fields hold ids or codes, so that they are reported by name. */
interface Telling {
  people?: readonly string[];
  depts?: readonly string[];
  names?: Readonly<Record<string, Readonly<Record<number, string>> | ReadonlyMap<number, string>>>;
}

/** Longer texts are reported by their length. */
const longest = 200;
const idsOf = (values: Readonly<Record<string, unknown>>, keys: readonly string[] = []): number[] =>
  keys.flatMap((key) => [values[key] ?? []].flat() as number[]);

/**
 * Returns the contents of a record by the titles of its fields: people by user name, which is turned into the real name on reading. Long texts, rows
 * and files are given by their size, with a hash that changes with them.
 */
export async function heldBy(
  tx: Db,
  { shape }: ZodObject,
  values: Readonly<Record<string, unknown>>,
  { people = [], depts = [], names = {} }: Telling,
): Promise<RecordContent> {
  const persons = await peopleById(tx, idsOf(values, people));
  const called = await deptNamesById(tx, idsOf(values, depts));
  const told = (key: string) => {
    const ids = [values[key] ?? []].flat() as number[];
    if (people.includes(key)) return ids.map((id) => persons.get(id)?.username ?? String(id));
    if (depts.includes(key)) return ids.map((id) => called.get(id) ?? String(id)).join('、') || null;
    const own = names[key];
    return own ? ids.map((id) => nameIn(own, id)).join('、') || null : wordsOf(values[key]);
  };
  const keys = Object.keys(shape).filter((key) => key in values);
  return Object.fromEntries(keys.map((key) => [titleOf(shape[key]!) ?? key, told(key)]));
}

const nameIn = (names: Readonly<Record<number, string>> | ReadonlyMap<number, string>, id: number): string =>
  (names instanceof Map ? names.get(id) : (names as Record<number, string>)[id]) ?? String(id);

function wordsOf(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string') return value.length > longest ? `全文 ${value.length} 字，${markOf(value)}` : value;
  if (!Array.isArray(value)) return markOf(value);
  if (value.length === 0) return null;
  return value.every((one) => typeof one === 'string') ? value.join('、') : `共 ${value.length} 项，${markOf(value)}`;
}

/** Long enough that nobody can make two values with the same hash. */
const markOf = (value: unknown): string =>
  `校验码 ${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)}`;
