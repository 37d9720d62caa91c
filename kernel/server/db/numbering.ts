import { randomBytes } from 'node:crypto';
import { getTableName, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { gathered, gatheredYet, namedRows, prepared, sendAlong, type Db, type Gathering } from './db.ts';

/**
 * Takes the next number of a scope, key and period in the caller's transaction. The row lock makes parallel callers wait, so that numbers are unique,
 * and without gaps if the transactions commit.
 */
export async function nextNumber(tx: Db, scope: string, key: string, period: string): Promise<number> {
  const [row] = await prepared<{ last_no: string }>(tx, 'next-number', nextText, [scope, key, period]);
  return Number(row?.last_no);
}

/**
 * Like `nextNumber`, where other numbers may already be in use: imported from a sheet, or given under a code that changed hands. `standing` returns
 * the highest number in use if this one is taken, null if it is free. Counting then continues after that number, which `behind` reports.
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

/** A record with a number that is counted without gaps, such as `WX202611200007`: prefix, period, and at least `digits` digits. */
export interface Numbered {
  prefix: string;
  /** `2026`, `202611` or `20261120`. */
  period: string;
  digits: number;
  table: PgTable & { sn: AnyPgColumn; search: AnyPgColumn };
  /** The search text of its row. */
  search(sn: string): string;
  /** Updates of other rows that were written with the placeholder meanwhile. */
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
 * Numbers a new record as late as possible, because from then on everybody else who needs a number waits. Returns a placeholder for the record's row
 * and everything else that this transaction writes; `withNumbers` replaces it by the number.
 */
export function numberLast(tx: Db, record: Numbered): string {
  const word = randomBytes(18).toString('base64url');
  gathered(tx, numbers).wanted.set(word, record);
  return word;
}

/** Assigns the numbers at the end of a transaction and puts them into its answer. */
export async function withNumbers<T>(tx: Db, said: T): Promise<T> {
  const all = gatheredYet(tx, numbers);
  if (!all) return said;
  await giveAll(tx, all);
  return put(said, all.given) as T;
}

/** Returns the number of a placeholder, which is assigned at once because it is needed now. Any other text is returned as it is. */
export async function numberOf(tx: Db, sn: string): Promise<string> {
  const all = gatheredYet(tx, numbers);
  if (all?.wanted.has(sn)) await giveAll(tx, all);
  return all?.given.get(sn) ?? sn;
}

async function giveAll(tx: Db, { wanted, given }: Numbers): Promise<void> {
  const counters = Map.groupBy(wanted, ([, { prefix, period, table }]) => `${prefix} ${period} ${getTableName(table)}`);
  wanted.clear();
  // In the order of their names, as in every transaction.
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

/** Assigns numbers to the records of one counter; records that a savepoint rolled back get none. */
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

/** Copies values that contain a placeholder; anything else is returned as it is. */
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
