import { randomBytes } from 'node:crypto';
import { getTableName, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { gathered, gatheredYet, namedRows, prepared, sendAlong, type Db, type Gathering } from './db.ts';

/**
 * Takes the next number of a scope, key and period inside the caller's transaction. The row lock makes parallel callers
 * wait, so numbers are unique, and gapless as far as the transaction commits.
 */
export async function nextNumber(tx: Db, scope: string, key: string, period: string): Promise<number> {
  const [row] = await prepared<{ last_no: string }>(tx, 'next-number', nextText, [scope, key, period]);
  return Number(row?.last_no);
}

/**
 * The same where numbers may stand in the way that came by another: brought in from a sheet, or given under a code that changed hands.
 * `standing` answers the highest of the pattern where this one is taken, null where it is free. Then it is counted on behind that, and
 * `behind` says so.
 */
export async function nextFreeNumber(
  tx: Db,
  { scope, key, period }: { scope: string; key: string; period: string },
  standing: (no: number) => Promise<number | null>,
): Promise<{ no: number; behind: number | null }> {
  const no = await nextNumber(tx, scope, key, period);
  const behind = await standing(no);
  if (behind === null) return { no, behind };
  const [row] = await prepared<{ last_no: string }>(tx, 'number-behind', behindText, [scope, key, period, behind]);
  return { no: Number(row?.last_no), behind };
}

const behindText = `
  update sequence set last_no = greatest(last_no, $4::bigint + 1) where (scope, key, period) = ($1, $2, $3)
  returning last_no`;
const nextText = `
  insert into sequence as s (scope, key, period, last_no) values ($1, $2, $3, 1)
  on conflict (scope, key, period) do update set last_no = s.last_no + 1
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
  const counters = Map.groupBy(wanted, ([, { prefix, period, table }]) => `${prefix} ${period} ${getTableName(table)}`);
  wanted.clear();
  // In the order of their names, like everybody's.
  for (const key of [...counters.keys()].toSorted()) {
    const records = new Map(counters.get(key)!);
    for (const [word, no] of await numbersFor(tx, records)) {
      const record = records.get(word)!;
      const sn = record.prefix + record.period + String(no).padStart(record.digits, '0');
      given.set(word, sn);
      await write(tx, word, sn, record);
    }
  }
}

/** Numbers for the records of one counter; what a savepoint took back wants none. */
async function numbersFor(tx: Db, records: ReadonlyMap<string, Numbered>): Promise<[string, number][]> {
  const [{ prefix, period, table }] = [...records.values()] as [Numbered];
  const words = [...records.keys()];
  const [taken] = await namedRows<{ last_no: string; words: string[] }>(
    tx,
    sql`with there as (select ${table.sn} as word from ${table} where ${table.sn} = any(${sql.param(words)})),
      taken as (
        insert into sequence as s (scope, key, period, last_no)
        select 'sn', ${prefix}::text, ${period}::text, count(*) from there having count(*) > 0
        on conflict (scope, key, period) do update set last_no = s.last_no + excluded.last_no
        returning last_no)
      select last_no, array(select word from there) as words from taken`,
  );
  const there = new Set(taken?.words);
  const wanting = words.filter((word) => there.has(word));
  return wanting.map((word, at) => [word, Number(taken!.last_no) - wanting.length + 1 + at]);
}

async function write(tx: Db, word: string, sn: string, { table, search, also }: Numbered): Promise<void> {
  const besides = (also?.(word, sn) ?? []).map((update, at) => sql`${sql.identifier(`also_${at}`)} as (${update})`);
  const writing = namedRows(
    tx,
    sql`${besides.length > 0 ? sql`with ${sql.join(besides, sql`, `)}` : sql``}
      update ${table} set sn = ${sn}, search = ${search(sn)}::tsvector where ${table.sn} = ${word}`,
  );
  await sendAlong(tx, writing);
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
