import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, smallint, unique } from 'drizzle-orm/pg-core';
import { deliveryTable } from '#modules/platform/deliveries/tables.ts';
import { appTokenTable } from '#modules/platform/tokens/tables.ts';
import { ticketLogTable } from './log.ts';

const place = () => bigint({ mode: 'number' });

/**
 * A row of a ticket's log for other systems: written by a trigger with each log row (migrations/0081-events.sql), and given its position only once it
 * is committed. Rows of a slow transaction come after what others committed meanwhile, never among it.
 */
export const ticketEventTable = pgTable(
  'ticket_event',
  {
    log_id: integer()
      .primaryKey()
      .references(() => ticketLogTable.id, { onDelete: 'cascade' }),
    position: place(),
  },
  (table) => [
    unique('ticket_event_position').on(table.position),
    index('ticket_event_unplaced')
      .on(table.log_id)
      .where(sql`${table.position} is null`),
  ],
);

/** The last position given; the transaction that holds this row's lock gives the next ones. */
export const ticketEventHeadTable = pgTable(
  'ticket_event_head',
  { id: smallint().primaryKey().default(1), last: place().notNull().default(0) },
  (table) => [check('ticket_event_one_head', sql`${table.id} = 1`)],
);

/** The progress of delivering events to an application: all up to `position` arrived, those up to `upto` are under way. */
export const ticketEventPushTable = pgTable(
  'ticket_event_push',
  {
    token_id: integer()
      .primaryKey()
      .references(() => appTokenTable.id, { onDelete: 'cascade' }),
    position: place().notNull(),
    upto: place().notNull(),
    delivery_id: integer().references(() => deliveryTable.id, { onDelete: 'set null' }),
    /** Counts the messages, so that each has a key of its own. */
    turn: integer().notNull().default(0),
  },
  (table) => [check('ticket_event_push_goes_on', sql`${table.upto} >= ${table.position}`)],
);
