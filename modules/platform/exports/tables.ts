import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { ExportState } from './contract.ts';

const now = sql`now()`;

/** An export made in the background; its file is deleted with its row. */
export const exportTable = pgTable(
  'export',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    user_id: integer()
      .notNull()
      .references(() => userTable.id),
    title: varchar({ length: 60 }).notNull(),
    /** Path of the call whose rows are exported, as in its contract, and its arguments. */
    path: varchar({ length: 200 }).notNull(),
    params: jsonb().$type<Record<string, unknown>>().notNull(),
    query: jsonb().$type<Record<string, unknown>>().notNull(),
    state: varchar({ length: 10 }).$type<ExportState>().notNull().default('waiting'),
    rows: integer().notNull(),
    written: integer().notNull().default(0),
    answer: varchar({ length: 300 }).notNull().default(''),
    file_id: integer().references(() => fileTable.id),
    gmt_created: moment().notNull().default(now),
    ended_at: moment(),
  },
  (t) => [
    index('export_of').on(t.user_id, t.id),
    index('export_ended').on(t.ended_at),
    // A repeated request makes no second export.
    uniqueIndex('export_once')
      .on(t.user_id, t.path, sql`md5(params::text || query::text)`)
      .where(sql`${t.ended_at} is null`),
    check('export_state', sql`${t.state} in ('waiting', 'running', 'done', 'failed')`),
    check('export_over', sql`(${t.ended_at} is null) = (${t.state} in ('waiting', 'running'))`),
    check('export_file', sql`(${t.file_id} is not null) = (${t.state} = 'done')`),
  ],
);
