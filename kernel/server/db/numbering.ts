import { randomBytes } from 'node:crypto';
import { inArray, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { gathered, gatheredYet, namedRows, prepared, type Db, type Gathering } from './db.ts';

/**
 * Takes the next number of a scope, key and period inside the caller's transaction. The row lock makes parallel callers
 * wait, so numbers are unique, and gapless as far as the transaction commits.
 */
export async function nextNumber(tx: Db, scope: string, key: string, period: string): Promise<number> {
  return (await nextNumbers(tx, { scope, key, period }, 1))[0]!;
}

interface Counter {
  scope: string;
  key: string;
  period: string;
}

async function nextNumbers(tx: Db, { scope, key, period }: Counter, count: number): Promise<number[]> {
  const [row] = await prepared<{ last_no: string }>(tx, 'next-number', nextText, [scope, key, period, count]);
  return Array.from({ length: count }, (_, at) => Number(row!.last_no) - count + 1 + at);
}

const nextText = `
  insert into sequence as s (scope, key, period, last_no) values ($1, $2, $3, $4::int)
  on conflict (scope, key, period) do update set last_no = s.last_no + $4::int
  returning last_no`;

/** A record that is known by a number counted without a gap, such as `WX202611200007`: prefix, period, and at least so many digits. */
export interface Numbered {
  prefix: string;
  /** `2026`, `202611` or `20261120`. */
  period: string;
  digits: number;
  table: PgTable & { sn: AnyPgColumn; search: AnyPgColumn };
  /** What its row is found by. */
  search(sn: string): string;
  /** Updates of what else was written of it meanwhile. */
  also?(word: string, sn: string): readonly SQL[];
}
interface Numbers {
  wanted: Map<string, Numbered>;
  given: Map<string, string>;
}
const numbers: Gathering<Numbers> = {
  start: () => ({ wanted: new Map(), given: new Map() }),
  finish: giveAll,
};

/**
 * Numbers a new record as late as can be: whoever else wants one waits from then on. Answers a word that stands for the number until
 * then, in the record's row and whatever else this transaction writes; `withNumbers` puts the number in its place.
 */
export function numberLast(tx: Db, record: Numbered): string {
  const word = randomBytes(18).toString('base64url');
  gathered(tx, numbers).wanted.set(word, record);
  return word;
}

/** What is said at the end of a transaction, with the numbers that its records are given now. */
export async function withNumbers<T>(tx: Db, said: T): Promise<T> {
  const all = gatheredYet(tx, numbers);
  if (!all) return said;
  await giveAll(tx, all);
  return put(said, all.given) as T;
}

/** The number a word stands for; it is given at once, for somebody needs to know it. Anything else is itself. */
export async function numberOf(tx: Db, sn: string): Promise<string> {
  const all = gatheredYet(tx, numbers);
  if (all?.wanted.has(sn)) await giveAll(tx, all);
  return all?.given.get(sn) ?? sn;
}

async function giveAll(tx: Db, { wanted, given }: Numbers): Promise<void> {
  const all = [...wanted];
  wanted.clear();
  const counters = Map.groupBy(all, ([, { prefix, period }]) => `${prefix} ${period}`);
  // In the order of their names, like everybody's.
  for (const key of [...counters.keys()].toSorted()) {
    const records = await stillThere(tx, counters.get(key)!);
    if (records.length === 0) continue;
    const { prefix, period } = records[0]![1];
    const taken = await nextNumbers(tx, { scope: 'sn', key: prefix, period }, records.length);
    for (const [at, [word, record]] of records.entries()) {
      const sn = prefix + period + String(taken[at]).padStart(record.digits, '0');
      given.set(word, sn);
      await write(tx, word, sn, record);
    }
  }
}

/** What a savepoint took back wants no number. */
async function stillThere(tx: Db, records: readonly [string, Numbered][]): Promise<[string, Numbered][]> {
  const there = new Set<unknown>();
  for (const [table, own] of Map.groupBy(records, ([, record]) => record.table)) {
    const words = own.map(([word]) => word);
    const rows = await tx.select({ sn: table.sn }).from(table).where(inArray(table.sn, words));
    for (const { sn } of rows) there.add(sn);
  }
  return records.filter(([word]) => there.has(word));
}

async function write(tx: Db, word: string, sn: string, { table, search, also }: Numbered): Promise<void> {
  const besides = (also?.(word, sn) ?? []).map((update, at) => sql`${sql.raw(`also_${at}`)} as (${update})`);
  await namedRows(
    tx,
    sql`${besides.length > 0 ? sql`with ${sql.join(besides, sql`, `)}` : sql``}
      update ${table} set sn = ${sn}, search = ${search(sn)}::tsvector where ${table.sn} = ${word}`,
  );
}

/** Copies what holds a word; anything else is answered as it is. */
function put(said: unknown, given: ReadonlyMap<string, string>): unknown {
  if (typeof said === 'string') {
    let text = said;
    for (const [word, sn] of given) text = text.replaceAll(word, sn);
    return text;
  }
  if (Array.isArray(said)) return said.map((one) => put(one, given));
  if (said === null || typeof said !== 'object' || Object.getPrototypeOf(said) !== Object.prototype) return said;
  return Object.fromEntries(Object.entries(said).map(([key, value]) => [key, put(value, given)]));
}
