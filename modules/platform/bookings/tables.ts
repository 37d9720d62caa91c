import { sql } from 'drizzle-orm';
import { check, customType, index, integer, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';

const period = customType<{ data: string }>({ dataType: () => 'tstzrange' });

/**
 * Who has what when: a row is one real occupation, and what is freed is deleted. No two of one resource overlap, by the
 * constraint `booking_free` (migrations/0027-bookings.sql); there is neither a state nor a mark that would except a row from it.
 */
export const bookingTable = pgTable(
  'booking',
  {
    /** Whose record it is for; `slot` tells several of one record apart, e.g. the time a change asks for. */
    module: varchar({ length: 30 }).notNull(),
    record_id: integer().notNull(),
    slot: varchar({ length: 20 }).notNull().default(''),
    /** What is taken: a kind, e.g. `room`, and the number of one of that kind. */
    resource: varchar({ length: 20 }).notNull(),
    resource_id: integer().notNull(),
    start_time: moment().notNull(),
    end_time: moment().notNull(),
    /** When the next may begin: the end, and what it takes to tidy up. */
    free_at: moment().notNull(),
    during: period()
      .notNull()
      .generatedAlwaysAs(sql`tstzrange(start_time, free_at)`),
    state: varchar({ length: 10 }).notNull().$type<BookingState>(),
    gmt_created: moment()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.module, table.record_id, table.slot] }),
    index('booking_time').on(table.resource, table.start_time),
    check('booking_state', sql`${table.state} in ('held', 'confirmed')`),
    check('booking_in_order', sql`${table.start_time} < ${table.end_time} and ${table.end_time} <= ${table.free_at}`),
    check('booking_length', sql`${table.free_at} - ${table.start_time} <= interval '366 days'`),
  ],
);

/** Held while somebody still has to agree; both keep others out alike. */
export type BookingState = 'held' | 'confirmed';
