import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/people/tables.ts';

/** Two records of any modules that belong together. `to` is to `from` what the type says. */
export const linkTable = pgTable(
  'record_link',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    fromModule: varchar('from_module', { length: 30 }).notNull(),
    fromId: integer('from_id').notNull(),
    toModule: varchar('to_module', { length: 30 }).notNull(),
    toId: integer('to_id').notNull(),
    type: varchar('type', { length: 20 }).notNull(),
    creatorId: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    uniqueIndex('record_link_once').on(t.fromModule, t.fromId, t.toModule, t.toId),
    index('record_link_to').on(t.toModule, t.toId),
    check('record_link_not_itself', sql`(${t.fromModule}, ${t.fromId}) <> (${t.toModule}, ${t.toId})`),
  ],
);
