import { sql } from 'drizzle-orm';
import { check, customType, index, integer, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';

const period = customType<{ data: string }>({ dataType: () => 'tstzrange' });

/**
 * Bookings: a row is one real occupation, and a freed one is deleted. No two of one resource overlap, by the constraint `booking_free`
 * (migrations/0027-bookings.sql); no state or flag exempts a row from it.
 */
export const bookingTable = pgTable(
  'booking',
  {
    /** The record it belongs to; `slot` distinguishes several of one record, e.g. the time a change asks for. */
    module: varchar({ length: 30 }).notNull(),
    record_id: integer().notNull(),
    slot: varchar({ length: 20 }).notNull().default(''),
    /** The booked resource: a kind, e.g. `room`, and its number within the kind. */
    resource: varchar({ length: 20 }).notNull(),
    resource_id: integer().notNull(),
    start_time: moment().notNull(),
    end_time: moment().notNull(),
    /** The earliest begin of the next booking: the end plus the padding. */
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

/** `held` until somebody agrees; both states keep others out alike. */
export type BookingState = 'held' | 'confirmed';
