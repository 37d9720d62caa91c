import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { ticketTokenTable } from '../tables.ts';

const at = () => timestamp({ withTimezone: true, mode: 'string' });

/** A question to another system for one stay of a ticket in a state. Only the latest of a token can still be answered, once. */
export const ticketInquiryTable = pgTable(
  'ticket_inquiry',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ticket_id: integer().notNull(),
    token_no: integer().notNull(),
    visit: integer().notNull(),
    state_id: integer().notNull(),
    /** The custom notice that was called: its secret signs the answer. */
    notice_id: integer().notNull(),
    /** Sent with the question, and repeated in the answer. */
    nonce: varchar({ length: 43 }).notNull(),
    /** Key of the delivery; null if the notice could not be called any more. */
    delivery_key: varchar({ length: 100 }),
    asked_at: at().notNull().defaultNow(),
    answered_at: at(),
    /** The time it was found that no answer can come, and the administrators were called. */
    silent_at: at(),
    ok: boolean(),
    msg: text().notNull().default(''),
  },
  (table) => [
    uniqueIndex('ticket_inquiry_nonce').on(table.nonce),
    index('ticket_inquiry_waiting')
      .on(table.id)
      .where(sql`${table.answered_at} is null and ${table.silent_at} is null`),
    index('ticket_inquiry_of_token').on(table.ticket_id, table.token_no, table.id),
    foreignKey({
      name: 'ticket_inquiry_token',
      columns: [table.ticket_id, table.token_no],
      foreignColumns: [ticketTokenTable.ticket_id, ticketTokenTable.no],
    }).onDelete('cascade'),
    check('ticket_inquiry_answered', sql`(${table.answered_at} is null) = (${table.ok} is null)`),
  ],
);
