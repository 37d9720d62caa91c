import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/platform/people/tables.ts';

/** A link between two records of any modules. The type states the relation of `to` to `from`. */
export const linkTable = pgTable(
  'record_link',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    from_module: varchar('from_module', { length: 30 }).notNull(),
    from_id: integer('from_id').notNull(),
    to_module: varchar('to_module', { length: 30 }).notNull(),
    to_id: integer('to_id').notNull(),
    type: varchar('type', { length: 20 }).notNull(),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    uniqueIndex('record_link_once').on(t.from_module, t.from_id, t.to_module, t.to_id),
    index('record_link_to').on(t.to_module, t.to_id),
    check('record_link_not_itself', sql`(${t.from_module}, ${t.from_id}) <> (${t.to_module}, ${t.to_id})`),
  ],
);
