import { boolean, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core';
import { searchColumn } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { ticketTable } from '#modules/workflow/tickets/tables.ts';

/** What the table of every record has that a ticket decides, beside `recordColumns()`. A table may say a column of these anew. */
export const approvalColumns = () => ({
  creator_id: integer('creator_id')
    .notNull()
    .references(() => userTable.id),
  /** Whose data scope it lies in. */
  dept_id: integer('dept_id').references(() => deptTable.id),
  /** The ticket that decides it; none yet where a draft has none. One ticket decides one record. */
  ticket_id: integer('ticket_id')
    .unique()
    .references(() => ticketTable.id),
  /** Where that stands. */
  act_state: smallint('act_state').notNull().default(0),
  /** Refused for good: closed by a decision, not by somebody who gave it up. */
  is_refused: boolean('is_refused').notNull().default(false),
  search: searchColumn(),
});

/** What the table of changes to records has besides; `record_id` it says itself, for it knows the table. */
export const changeColumns = () => ({
  ...approvalColumns(),
  /** The fields to be changed: as they stood when that was asked for, and as they shall be. */
  was: jsonb('was').$type<Record<string, unknown>>().notNull().default({}),
  becomes: jsonb('becomes').$type<Record<string, unknown>>().notNull().default({}),
  reason: text('reason').notNull().default(''),
  is_deleted: boolean('is_deleted').notNull().default(false),
});
