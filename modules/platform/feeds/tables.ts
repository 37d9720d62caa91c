import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import type { remindNames } from './contract.ts';
import { userTable } from '#modules/platform/people/tables.ts';

/** An address at which a person's calendar programs read their entries. An ended one is deleted. */
export const feedTable = pgTable(
  'feed',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => userTable.id),
    name: varchar({ length: 30 }).notNull(),
    keys: text().array().notNull(),
    titles: boolean().notNull().default(false),
    /** Minutes before; null for no reminder. */
    remind: smallint().$type<keyof typeof remindNames>(),
    /** Hash of the code in its address, which is stored nowhere. */
    code_hash: char({ length: 64 }).notNull(),
    /** Hash of the content last read, and the time of its last change. */
    content_hash: char({ length: 64 }),
    changed_at: moment(),
    last_read_at: moment(),
    gmt_created: moment()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    uniqueIndex('feed_code_unique').on(table.code_hash),
    index('feed_user').on(table.user_id),
    check('feed_remind', sql`${table.remind} in (5, 15, 30, 60, 1440)`),
    check('feed_keys', sql`cardinality(${table.keys}) > 0`),
    check('feed_content', sql`(${table.content_hash} is null) = (${table.changed_at} is null)`),
  ],
);
