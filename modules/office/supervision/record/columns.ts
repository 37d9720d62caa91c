// Columns that queries of items and parts share.
import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptNamesById, peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import { itemState, sheetColour, subState } from '../contract/codes.ts';
import { subTable, superviseTable } from '../tables.ts';
import { lightOf, litAs } from './lights.ts';

const t = superviseTable;
const { search: _search, ...itemColumns } = getTableColumns(t);
export { itemColumns };
const itemOver = [0, 3, 4];
const subOver = [subState.finished, subState.cancelled];
export const itemLight = lightOf(t, itemOver);
export const subLight = lightOf(subTable, subOver);
export const itemLitAs = (light: number): SQL => litAs(t, itemOver, light);
export const subLitAs = (light: number): SQL => litAs(subTable, subOver, light);
const unfinished = sql`${subTable.status} in (${inSql(subState.issued, subState.running, subState.toCheck, subState.returned)})`;
/** Condition: somebody has to work on the part. */
export const openSub = sql`(${t.status} = ${inSql(itemState.running)} and ${unfinished})`;
/** Condition: the part's time runs. A requested completion does not stop it, because it may be refused. */
export const runningSub = sql`(${t.status} in (${inSql(itemState.running, itemState.applied)}) and ${unfinished})`;

/** Adds cards of people and names of departments to rows with their ids; two statements for any number of rows. */
export async function named<Row extends object, P extends keyof Row & string, D extends keyof Row & string = never>(
  tx: Db,
  rows: readonly Row[],
  people: readonly P[],
  depts: readonly D[] = [],
) {
  const idsOf = (keys: readonly (keyof Row)[]) =>
    rows.flatMap((row) =>
      keys.flatMap((key) => [row[key] as number | number[] | null].flat()).filter((id) => id !== null),
    );
  const [cards, names] = await Promise.all([peopleById(tx, idsOf(people)), deptNamesById(tx, idsOf(depts))]);
  const cardOf = (of: unknown) =>
    Array.isArray(of) ? of.flatMap((id: number) => cards.get(id) ?? []) : (cards.get(of as number) ?? null);
  const nameOf = (of: unknown) =>
    Array.isArray(of) ? of.flatMap((id: number) => names.get(id) ?? []) : (names.get(of as number) ?? '');
  type Card<V> = V extends number[] ? PersonCard[] : PersonCard | null;
  type Name<V> = V extends number[] ? string[] : string;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(people.map((key) => [`${key}_info`, cardOf(row[key])])),
    ...Object.fromEntries(depts.map((key) => [`${key}_name`, nameOf(row[key])])),
  })) as (Row & { [K in P as `${K}_info`]: Card<Row[K]> } & { [K in D as `${K}_name`]: Name<Row[K]> })[];
}

export const urgesOf = (of: SQL) => sql<
  number[]
>`(select array[count(*) filter (where colour = ${inSql(sheetColour.blue)}), count(*) filter (where colour = ${inSql(sheetColour.yellow)}),
  count(*) filter (where colour = ${inSql(sheetColour.red)})]::int[] from supervise_sheet h where ${of})`;
export const lastReport = (of: SQL) =>
  sql<
    string | null
  >`(select to_char(max(p.gmt_created), 'YYYY-MM-DD HH24:MI:SS') from supervise_progress p where ${of})`;
