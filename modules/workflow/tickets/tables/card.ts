import { sql } from 'drizzle-orm';
import { char, check, index, integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { deliveryTable } from '#modules/platform/deliveries/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { customNoticeTable } from '#modules/workflow/workflows/tables.ts';
import { ticketTable } from '../tables.ts';

const at = () => timestamp({ withTimezone: true, mode: 'string' });

/** A card with which one person may decide one task, once, while the task is theirs and the form unchanged. */
export const ticketCardTable = pgTable(
  'ticket_card',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ticket_id: integer()
      .notNull()
      .references(() => ticketTable.id, { onDelete: 'cascade' }),
    task_no: integer().notNull(),
    user_id: integer()
      .notNull()
      .references(() => userTable.id),
    /** The application that delivers it. */
    notice_id: integer()
      .notNull()
      .references(() => customNoticeTable.id, { onDelete: 'cascade' }),
    /** Hash of the part of the form that its person saw. */
    seen_hash: char({ length: 64 }).notNull(),
    expires_at: at().notNull(),
    /** The time somebody decided with it. */
    used_at: at(),
    /** The time it was updated because nothing can be decided with it any more. */
    settled_at: at(),
    delivery_id: integer().references(() => deliveryTable.id, { onDelete: 'set null' }),
    gmt_created: at().notNull().defaultNow(),
  },
  (table) => [
    index('ticket_card_open')
      .on(table.ticket_id)
      .where(sql`${table.settled_at} is null`),
    index('ticket_card_expires').on(table.expires_at),
    check('ticket_card_seen_hash', sql`${table.seen_hash} ~ '^[0-9a-f]{64}$'`),
  ],
);
