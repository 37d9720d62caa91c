import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../db/db.ts';

/** A dimension along which things are counted. */
export interface Dimension {
  /** Its column in the cube's rows; rows without a value are left out unless `unknown` names them. */
  column: string;
  unknown?: string;
  /** Sorts by this measure, the largest first; without it by the key. */
  most?: string;
  /** Labels of the lines, by their keys or numbers; without them the keys are shown. */
  names?:
    | Readonly<Record<string, string>>
    | ((tx: Db, lines: readonly Line[]) => Promise<ReadonlyMap<string | number, string>>);
}

/** Things that are counted along several dimensions at once. */
export interface Cube {
  /** Common tables that `rows` joins. */
  with?: SQL;
  /** A select with one row for each thing: a column for each dimension, and the columns that the measures need. */
  rows: SQL;
  dims: Readonly<Record<string, Dimension>>;
  /** Aggregates over the rows, rounded as they are shown. */
  measures: Readonly<Record<string, SQL>>;
}

export interface Line {
  key: string;
  name: string;
  [measure: string]: string | number | null;
}
export type Sum = Readonly<Record<string, number>>;

/** Rounds a mean to one decimal. */
export const tenths = (of: SQL): SQL => sql`round((${of})::numeric, 1)`;

/** Counts along the requested dimensions and in total: one statement, and one more for the names of each dimension that needs it. */
export async function countCube(
  tx: Db,
  cube: Cube,
  asked: readonly string[],
  most: number,
): Promise<{ tables: Record<string, Line[]>; sum: Sum }> {
  const dims = asked.map((name) => ({ name, ...cube.dims[name]! }));
  const columns = dims.map(({ column }) => sql.identifier(column));
  const all = 2 ** dims.length - 1;
  const maskOf = (at: number) => all - 2 ** (dims.length - 1 - at);
  const measures = Object.entries(cube.measures);
  const comma = sql`, `;
  const keys = columns.map((column, at) => sql`${column}::text as ${sql.identifier(`key_${at}`)}`);
  const mask = columns.length > 0 ? sql`grouping(${sql.join(columns, comma)})` : sql`0`;
  const sets = sql.join([...columns.map((column) => sql`(${column})`), sql`()`], comma);
  const largest = dims.flatMap(({ most: by }, at) =>
    by ? [sql`when ${maskOf(at)}::int then ${sql.identifier(by)}`] : [],
  );
  const order = sql.join(
    [
      ...(largest.length > 0 ? [sql`case mask ${sql.join(largest, sql` `)} end desc nulls last`] : []),
      ...columns.map((_column, at) => sql.identifier(`key_${at}`)),
    ],
    comma,
  );
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    with ${cube.with ? sql`${cube.with}, ` : sql``}counted as (${cube.rows}),
    grouped as (
      select ${mask} as mask, ${sql.join([...keys, ...measures.map(([name, of]) => sql`${of} as ${sql.identifier(name)}`)], comma)}
      from counted group by grouping sets (${sets}))
    select * from (
      select grouped.*, row_number() over (partition by mask order by ${columns.length > 0 ? order : sql`mask`}) as place from grouped) placed
    where place <= ${most + 1} order by mask, place`);
  const figuresOf = (row: Record<string, unknown>) =>
    Object.fromEntries(measures.map(([name]) => [name, row[name] === null ? null : Number(row[name])]));
  const tables: Record<string, Line[]> = {};
  for (const [at, { name, unknown, names }] of dims.entries()) {
    const lines = rows
      .filter((row) => row['mask'] === maskOf(at))
      .flatMap((row): Line[] => {
        const key = row[`key_${at}`] as string | null;
        if (key === null) return unknown === undefined ? [] : [{ ...figuresOf(row), key: '', name: unknown }];
        return [{ ...figuresOf(row), key, name: key }];
      });
    const known: ReadonlyMap<string | number, string> =
      typeof names === 'function' ? await names(tx, lines) : new Map(Object.entries(names ?? {}));
    const nameOf = ({ key, name: own }: Line) => (key === '' ? own : (known.get(key) ?? known.get(Number(key)) ?? own));
    tables[name] = lines.map((line) => ({ ...line, name: nameOf(line) }));
  }
  const sum = rows.find((row) => row['mask'] === (columns.length > 0 ? all : 0)) ?? {};
  return { tables, sum: Object.fromEntries(measures.map(([name]) => [name, Number(sum[name] ?? 0)])) };
}
