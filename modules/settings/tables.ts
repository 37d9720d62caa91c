import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';

/** One row a group of settings: `site`, `login`, `interface`. Secrets inside are encrypted. */
export const settingTable = pgTable('setting', {
  key: varchar('key', { length: 20 }).primaryKey(),
  value: jsonb('value').notNull().$type<Record<string, unknown>>(),
  version: integer('version').notNull().default(0),
  gmt_modified: moment('gmt_modified')
    .notNull()
    .default(sql`now()`),
});
