import { sql } from 'drizzle-orm';
import { boolean, check, date, integer, pgTable, smallint, timestamp, varchar } from 'drizzle-orm/pg-core';
import { userTable } from '#modules/platform/people/tables.ts';

/** The origin of a day: set by hand, imported with a year's plan, or proposed, and perhaps confirmed. */
export const dayOrigins = ['own', 'imported', 'proposed', 'confirmed'] as const;
export type DayOrigin = (typeof dayOrigins)[number];

/** Days on which an organisation deviates from the national announcement. */
export const calendarDayTable = pgTable(
  'calendar_day',
  {
    day: date({ mode: 'string' }).primaryKey(),
    works: boolean().notNull(),
    name: varchar({ length: 30 }).notNull(),
    origin: varchar({ length: 10, enum: dayOrigins }).notNull(),
    /** The year whose plan set it, which may begin in the preceding December; null if it was set by hand. */
    plan: smallint(),
    set_by: integer()
      .notNull()
      .references(() => userTable.id),
    gmt_modified: timestamp({ withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    check('calendar_day_in_range', sql`${table.day} between date '2000-01-01' and date '2099-12-31'`),
    check('calendar_day_named', sql`btrim(${table.name}) <> ''`),
    check('calendar_day_of_plan', sql`(${table.plan} is null) = (${table.origin} = 'own')`),
  ],
);
