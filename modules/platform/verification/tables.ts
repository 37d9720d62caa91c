import { sql } from 'drizzle-orm';
import { integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';

/** The code printed on a record, by which anybody may check whether it is genuine. It never changes. */
export const verifyCodeTable = pgTable(
  'verify_code',
  {
    code: varchar('code', { length: 16 }).primaryKey(),
    module: varchar('module', { length: 30 }).notNull(),
    record_id: integer('record_id').notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [uniqueIndex('verify_code_record_unique').on(t.module, t.record_id)],
);
