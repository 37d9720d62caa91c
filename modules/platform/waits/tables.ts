import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/platform/people/tables.ts';

/** Something a person put off, and until when. Deleted when it comes back, and with its person. */
export const asideTable = pgTable(
  'wait_aside',
  {
    user_id: integer()
      .notNull()
      .references(() => userTable.id),
    /** Key of the waiting row. */
    row: varchar({ length: 80 }).notNull(),
    web_path: varchar({ length: 200 }).notNull(),
    /** Its deadline at that time. */
    due_at: moment(),
    until: moment().notNull(),
    put_at: moment()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.row] }),
    index('wait_aside_until').on(table.until),
    index('wait_aside_page').on(table.web_path),
  ],
);
