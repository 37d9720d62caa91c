import { boolean, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core';
import { searchColumn } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { ticketTable } from '#modules/workflow/tickets/tables.ts';

/** Columns of every table of approval records, in addition to `recordColumns()`. A table may redefine one of them. */
export const approvalColumns = () => ({
  creator_id: integer('creator_id')
    .notNull()
    .references(() => userTable.id),
  /** The department whose data scope it lies in. */
  dept_id: integer('dept_id').references(() => deptTable.id),
  /** The ticket that decides it; null for drafts without one. One ticket decides one record. */
  ticket_id: integer('ticket_id')
    .unique()
    .references(() => ticketTable.id),
  /** The state of that ticket. */
  act_state: smallint('act_state').notNull().default(0),
  /** Refused for good: closed by a decision, not given up by somebody. */
  is_refused: boolean('is_refused').notNull().default(false),
  search: searchColumn(),
});

/** Further columns of a table of changes; the table adds `record_id` itself, because it knows the table it refers to. */
export const changeColumns = () => ({
  ...approvalColumns(),
  /** The fields to be changed: as they stood when the change was asked for, and as they shall be. */
  was: jsonb('was').$type<Record<string, unknown>>().notNull().default({}),
  becomes: jsonb('becomes').$type<Record<string, unknown>>().notNull().default({}),
  reason: text('reason').notNull().default(''),
  is_deleted: boolean('is_deleted').notNull().default(false),
});
