import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, smallint, timestamp, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { userTable } from '#modules/platform/people/tables.ts';

const at = () => timestamp({ withTimezone: true, mode: 'string' });
const person = () =>
  integer()
    .notNull()
    .references(() => userTable.id);

/**
 * A delegation: somebody decides for somebody else for a while. An exclusion constraint of the migration keeps one person from delegating the same
 * workflow twice at the same time.
 */
export const standInTable = pgTable(
  'stand_in',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** The absent person. */
    from_id: person(),
    /** The delegate. */
    to_id: person(),
    starts_at: at().notNull(),
    ends_at: at().notNull(),
    /** Null: all workflows, future ones too. */
    workflow_ids: integer().array(),
    /** The number of times the tasks may be passed on: 1 to the delegate alone, 2 to the delegate's own delegate too. */
    chain_limit: smallint().notNull().default(1),
    reason: varchar({ length: 200 }).notNull().default(''),
    /** The record of another module that made it and alone moves and ends it. */
    source_module: varchar({ length: 30 }),
    source_id: integer(),
    /** The administrator who made it for somebody who could not; null if the person made it. */
    set_by: integer().references(() => userTable.id),
    /** Set when it was ended before its time. */
    ended_at: at(),
    gmt_created: at().notNull().defaultNow(),
  },
  (table) => [
    index('stand_in_taken')
      .on(table.to_id, table.ends_at)
      .where(sql`${table.ended_at} is null`),
    index('stand_in_given').on(table.from_id, table.id),
    index('stand_in_set')
      .on(table.set_by, table.id)
      .where(sql`${table.set_by} is not null`),
    uniqueIndex('stand_in_source')
      .on(table.source_module, table.source_id)
      .where(sql`${table.source_id} is not null`),
    check('stand_in_is_another', sql`${table.from_id} <> ${table.to_id}`),
    check('stand_in_period', sql`${table.ends_at} > ${table.starts_at}`),
    check('stand_in_chain_limit', sql`${table.chain_limit} between 1 and 3`),
    check('stand_in_some_workflow', sql`cardinality(${table.workflow_ids}) > 0`),
  ],
);
