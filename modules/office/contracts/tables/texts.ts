import { sql } from 'drizzle-orm';
import { boolean, char, check, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { contractTemplateVersionTable } from './categories.ts';
import { contractTable } from './core.ts';

/** A contract's text as sent for approval: one for each round, never changed (trigger). */
export const contractTextTable = pgTable(
  'contract_text',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    contract_id: integer('contract_id')
      .notNull()
      .references(() => contractTable.id, { onDelete: 'cascade' }),
    no: integer('no').notNull(),
    /** The text with all values; empty if the text is a file. */
    html: text('html').notNull().default(''),
    file_id: integer('file_id').references(() => fileTable.id),
    sha256: char('sha256', { length: 64 }).notNull(),
    standard: boolean('standard').notNull(),
    /** True if every locked clause equals its template's. */
    locked_kept: boolean('locked_kept').notNull(),
    template_version_id: integer('template_version_id').references(() => contractTemplateVersionTable.id),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    unique('contract_text_no').on(t.contract_id, t.no),
    check('contract_text_something', sql`(${t.html} <> '') <> (${t.file_id} is not null)`),
  ],
);
