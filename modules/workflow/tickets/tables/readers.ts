import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, timestamp, varchar } from 'drizzle-orm/pg-core';
import { userTable } from '#modules/platform/people/tables.ts';
import { ticketTable } from '../tables.ts';

const at = () => timestamp({ withTimezone: true, mode: 'string' });
const person = () => integer().references(() => userTable.id);

/** A copy for somebody, who may view the ticket and never blocks the flow. */
export const ticketCcTable = pgTable(
  'ticket_cc',
  {
    ticket_id: integer()
      .notNull()
      .references(() => ticketTable.id, { onDelete: 'cascade' }),
    user_id: person().notNull(),
    /** The state that copied it, or 0 if a person did. */
    state_id: integer().notNull().default(0),
    from_id: person(),
    note: varchar({ length: 500 }).notNull().default(''),
    gmt_created: at().notNull().defaultNow(),
    read_at: at(),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.user_id] }),
    index('ticket_cc_by_user').on(table.user_id, table.gmt_created, table.ticket_id),
    index('ticket_cc_unread')
      .on(table.user_id)
      .where(sql`${table.read_at} is null`),
  ],
);

/** The reading position of a person in a ticket's log; later actions by others are news to them. */
export const ticketLookTable = pgTable(
  'ticket_look',
  {
    ticket_id: integer()
      .notNull()
      .references(() => ticketTable.id, { onDelete: 'cascade' }),
    user_id: person().notNull(),
    seq: integer().notNull(),
    looked_at: at().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.user_id] }),
    check('ticket_look_seq_positive', sql`${table.seq} > 0`),
  ],
);
