import { createHash } from 'node:crypto';
import type { ZodObject } from 'zod';
import { titleOf } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import type { RecordContent } from '#modules/workflow/tickets/service.ts';

/** How fields are told whose values are ids or codes. */
interface Telling {
  people?: readonly string[];
  depts?: readonly string[];
  names?: Readonly<Record<string, Readonly<Record<number, string>> | ReadonlyMap<number, string>>>;
}

/** Texts that are longer are told by how long they are. */
const longest = 200;
const idsOf = (values: Readonly<Record<string, unknown>>, keys: readonly string[] = []): number[] =>
  keys.flatMap((key) => [values[key] ?? []].flat() as number[]);

/**
 * What a record holds, by the titles of its fields: people by their user names, which are told as they are called when it is read. Of long
 * texts, rows and files there stands how much of them there is, with a mark that changes with them.
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
  return Object.fromEntries(keys.map((key) => [titleOf(shape[key] as never) ?? key, told(key)]));
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

/** As long as nobody can make two values that have the same. */
const markOf = (value: unknown): string =>
  `校验码 ${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)}`;
