import { sql, type SQL } from 'drizzle-orm';
import { boolean, customType, integer, varchar } from 'drizzle-orm/pg-core';
import { alike } from '#kernel/contract/words/plainly.ts';

/** timestamptz that reads as `YYYY-MM-DD HH:mm:ss` in the session's zone (Asia/Shanghai). */
export const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => value.slice(0, 19),
});

/** The columns every record has. */
export function recordColumns() {
  return {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
    gmt_modified: moment('gmt_modified')
      .notNull()
      .default(sql`now()`),
    version: integer('version').notNull().default(0),
  };
}

/** Soft deletion, for records that others may still refer to. */
export function deletable() {
  return { is_deleted: boolean('is_deleted').notNull().default(false) };
}

// oxlint-disable-next-line eslint/no-restricted-properties -- a table of ours, written out: a generated column and an index take no parameter
const written = (text: string) => sql.raw(`'${text}'`);
/** Writes codes into the statement itself, because partial indexes do not match parameters, and two parameters do not form the same group. */
export function inSql(...codes: readonly number[]): SQL {
  if (codes.length === 0 || !codes.every(Number.isInteger)) throw new TypeError(`no codes: ${codes.join(', ')}`);
  // oxlint-disable-next-line eslint/no-restricted-properties -- whole numbers
  return sql.raw(codes.join(', '));
}

/** Normalises text for comparison in the database (`plainly` does the same in the program). */
export const plainSql = (text: SQL): SQL =>
  sql`lower(regexp_replace(normalize(translate(${text}, ${written(alike.from)}, ${written(alike.to)}), NFKC), '[\\s\\u00AD\\u115F\\u1160\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFE00-\\uFE0F\\uFEFF]', '', 'g'))`;

/** Normalises a code for comparison in the database (`plainCode` does the same in the program). */
export const plainCodeSql = (text: SQL): SQL =>
  sql`regexp_replace(${plainSql(text)}, '[\\-\\u058A\\u05BE\\u2010-\\u2015\\u2E3A\\u2E3B\\u301C\\u3030\\u30A0]', '', 'g')`;

/** The column `plain_name` of a table with a `name`. */
export const plainNameColumn = () =>
  varchar('plain_name', { length: 100 })
    .notNull()
    .generatedAlwaysAs(plainSql(sql`name`));
