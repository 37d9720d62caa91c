import { sql } from 'drizzle-orm';
import {
  check,
  index,
  inet,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { inSql } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { interveneType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Event, Trace } from '../engine/state.ts';
import { ticketTable } from '../tables.ts';

const at = () => timestamp({ withTimezone: true, mode: 'string' });
const person = () => integer().references(() => userTable.id);

/** Append-only: a trigger of the migration refuses updates and deletes. Folding `events` by `seq` gives the ticket. */
export const ticketLogTable = pgTable(
  'ticket_log',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    ticket_id: integer()
      .notNull()
      .references(() => ticketTable.id),
    seq: integer().notNull(),
    at: at().notNull().defaultNow(),
    /** Null when the system acted by itself. */
    actor_id: person(),
    on_behalf_id: person(),
    action: varchar({ length: 20 }).notNull(),
    intervene_type: smallint().notNull().default(0),
    transition_id: integer(),
    from_state_id: integer().notNull(),
    to_state_id: integer().notNull(),
    suggestion: text().notNull().default(''),
    task_nos: integer().array().notNull().default([]),
    events: jsonb().$type<Event[]>().notNull(),
    trace: jsonb().$type<Trace[]>().notNull().default([]),
    ip: inet(),
    user_agent: varchar({ length: 300 }).notNull().default(''),
    /** The actor's handwritten signature. */
    signature_file_id: integer().references(() => fileTable.id),
    /** The channel, if it was not done on a page: the name of the application in a sentence. */
    via: varchar({ length: 80 }).notNull().default(''),
    prev_hash: varchar({ length: 64 }),
    hash: varchar({ length: 64 }),
  },
  (table) => [
    uniqueIndex('ticket_log_seq_unique').on(table.ticket_id, table.seq),
    uniqueIndex('ticket_log_signature_once')
      .on(table.signature_file_id)
      .where(sql`${table.signature_file_id} is not null`),
    index('ticket_log_by_actor').on(table.actor_id, table.at),
    check('ticket_log_seq_positive', sql`${table.seq} > 0`),
    check(
      'ticket_log_intervene_known',
      sql`${table.intervene_type} between ${inSql(interveneType.normal)} and ${inSql(interveneType.timeout)}`,
    ),
  ],
);

/** The files of an opinion, in order; append-only like the log. A file belongs to one opinion. */
export const ticketLogFileTable = pgTable(
  'ticket_log_file',
  {
    log_id: integer()
      .notNull()
      .references(() => ticketLogTable.id),
    place: smallint().notNull(),
    file_id: integer()
      .notNull()
      .references(() => fileTable.id),
  },
  (table) => [
    primaryKey({ columns: [table.log_id, table.place] }),
    uniqueIndex('ticket_log_file_once').on(table.file_id),
    check('ticket_log_file_place', sql`${table.place} > 0`),
  ],
);
