import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';
import type { Call } from '#kernel/contract/call.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { sampleOf, wireSchema, type Json } from '#kernel/server/testing/sample.ts';

/** The values written into every column that a body does not name, which can be found again anywhere. */
export const markers = ['zzMASSzz', 1_777_777_777] as const;
/** Values for columns in which no marker fits: they show as a switch that moved. */
export const flips = [true, 2] as const;

/** Every column of the database, as spelled there and in code, and names that were security holes elsewhere. */
export async function columnNames(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select distinct column_name as name from information_schema.columns where table_schema = 'public'`,
  );
  const snake = rows.map((row) => row.name);
  const camel = snake.map((name) => name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase()));
  return [
    ...new Set([...snake, ...camel, 'is_superuser', 'superAdmin', 'creator', 'state', 'deleted', 'active', 'system']),
  ];
}

const columnTypes = (db: Db) =>
  db.execute<{ name: string; type: string }>(
    sql`select distinct column_name as name, data_type as type from information_schema.columns where table_schema = 'public'`,
  );
/** The column's name for a name in code. */
const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * A value for every column that is a switch: true for booleans, a small number for small integers, and true for names that are no column. A name that
 * is both, in different tables, alternates from call to call.
 */
export async function switchesOf(db: Db): Promise<(at: number) => Json> {
  const { rows } = await columnTypes(db);
  const types = new Map<string, Set<string>>();
  for (const { name, type } of rows) types.set(name, (types.get(name) ?? new Set()).add(type));
  const fitting = (await columnNames(db)).flatMap((name) => {
    const held = types.get(columnOf(name)) ?? new Set(['boolean']);
    const values = flips.filter((flip) => held.has(flip === true ? 'boolean' : 'smallint'));
    return values.length > 0 ? [[name, values] as const] : [];
  });
  return (at) => Object.fromEntries(fitting.map(([name, values]) => [name, values[at % values.length]]));
}

/** The body of a call: the example if there is one, else a sample of its schema. Without a version, because the lock would refuse the second writer. */
function bodyOf(call: Call, example: Json | undefined, dress: (fields: Json, names: Json) => Json): unknown {
  const bare = (fields: Json, names: Json) => {
    const { version: _version, ...sent } = fields;
    return dress(sent, names);
  };
  if (!call.body) return bare(example ?? {}, {});
  const schema = wireSchema(call.body);
  return example ? bare(example, (schema['properties'] ?? {}) as Json) : sampleOf(schema, 2, bare);
}

/** A valid body, with every column name that it does not know added to every object with named fields. */
export function dressed(call: Call, example: Json | undefined, strange: Json) {
  const known = new Set<string>();
  const body = bodyOf(call, example, (fields, names) => {
    for (const name of Object.keys(names)) known.add(name);
    const full: Json = { ...strange };
    for (const name of Object.keys(names)) delete full[name];
    return Object.assign(full, fields);
  });
  return { body: body as Json, known };
}

/** The fault in how a call parses its body: its example does not fit, or an unnamed column passes through. */
export function misread(call: Call, example: Json | undefined, columns: readonly string[]): string | null {
  if (!call.body) return null;
  const plain = z.core.safeParse(
    call.body,
    bodyOf(call, example, (fields) => fields),
  );
  if (!plain.success)
    return `its example does not fit: ${plain.error.issues.map((one) => `${one.path.join('.')} ${one.message}`).join('; ')}`;
  const full = z.core.safeParse(
    call.body,
    dressed(call, example, Object.fromEntries(columns.map((name) => [name, markers[0]]))).body,
  );
  // If unknown names are refused, none passes through.
  if (full.error?.issues.every((issue) => issue.code === 'unrecognized_keys')) return null;
  if (!full.success) return `its example does not fit beside strange fields`;
  return isDeepStrictEqual(full.data, plain.data) ? null : 'fields that it does not name come through';
}

/** Tables that contain a marker, each with one row that holds it. */
export async function marked(db: Db): Promise<string[]> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.execute<{ row: string }>(
      sql`select t::text as row from ${sql.identifier(name)} t where t::text like ${`%${markers[0]}%`} or t::text like ${`%${markers[1]}%`} limit 1`,
    );
    if (rows[0]) found.push(`${name}: ${rows[0].row.slice(0, 200)}`);
  }
  return found;
}

/** A boolean or a small number of an existing row that changed. */
export interface Moved {
  table: string;
  column: string;
}

/**
 * Lets the database itself record every boolean and every small number that changes in the first rows of every table from now on; returns the changes
 * since the last call. So a call costs one small query, however many tables there are. Deliveries are tried at any time, independently of the calls.
 */
export async function watchSwitches({ pool }: Databases): Promise<() => Promise<Moved[]>> {
  const { rows } = await pool.query<{ table: string; columns: string[] }>(`
    select c.table_name as table, array_agg(c.column_name::text) as columns from information_schema.columns c
    where c.table_schema = 'public' and c.data_type in ('boolean', 'smallint')
      and exists (select 1 from information_schema.columns i where i.table_name = c.table_name and i.column_name = 'id')
      and c.table_name not in ('log', 'switch_moved', 'delivery_try') and c.table_name not in (select relname from pg_class where relispartition)
    group by 1`);
  await pool.query(`
    create table if not exists switch_moved (id int generated always as identity, "table" text, "column" text);
    create or replace function note_switches() returns trigger language plpgsql as $$ begin
      insert into switch_moved ("table", "column")
        select tg_table_name, was.key from jsonb_each(to_jsonb(old)) was join jsonb_each(to_jsonb(new)) now using (key)
        where was.value is distinct from now.value and was.key = any(tg_argv[0]::text[]);
      return null;
    end $$`);
  for (const { table, columns } of rows) {
    const name = pg.escapeIdentifier(table);
    const { rows: first } = await pool.query<{ id: number }>(`select id from ${name} order by id limit 3`);
    const upTo = first.length === 3 ? first[2]!.id : 2_147_483_647;
    await pool.query(`create or replace trigger note_switches after update on ${name} for each row
      when (old.id <= ${upTo}) execute function note_switches(${pg.escapeLiteral(`{${columns.join()}}`)})`);
  }
  let seen = 0;
  const news = async () => {
    const { rows: moved } = await pool.query<Moved & { id: number }>(
      `select id, "table", "column" from switch_moved where id > $1 order by id`,
      [seen],
    );
    seen = moved.at(-1)?.id ?? seen;
    return moved;
  };
  await news();
  return news;
}
