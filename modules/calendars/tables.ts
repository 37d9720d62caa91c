import { sql } from 'drizzle-orm';
import { boolean, check, date, integer, pgTable, timestamp, varchar } from 'drizzle-orm/pg-core';
import { userTable } from '#modules/people/tables.ts';

/** Days that an organisation works or rests against what is announced for the whole country. */
export const calendarDayTable = pgTable(
  'calendar_day',
  {
    day: date({ mode: 'string' }).primaryKey(),
    works: boolean().notNull(),
    name: varchar({ length: 30 }).notNull(),
    /** Proposed for a year that is not announced; counts until that is announced, or somebody confirms it. */
    proposed: boolean().notNull().default(false),
    set_by: integer()
      .notNull()
      .references(() => userTable.id),
    gmt_modified: timestamp({ withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    check('calendar_day_in_range', sql`${table.day} between date '2000-01-01' and date '2099-12-31'`),
    check('calendar_day_named', sql`btrim(${table.name}) <> ''`),
  ],
);
