import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { EditedField } from '../contract/files/edits.ts';
import { documentTable } from '../tables.ts';

/** A change of a document, with the former values. */
export const documentEditTable = pgTable(
  'document_edit',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id, { onDelete: 'cascade' }),
    editor_id: integer('editor_id')
      .notNull()
      .references(() => userTable.id),
    /** Set if the document had been sent; earlier changes are visible only to the author. */
    sent_at: moment('sent_at'),
    /** The name of the document's state at that time. */
    state: varchar('state', { length: 100 }).notNull(),
    /** The fields in words, before and after. */
    fields: jsonb('fields').$type<EditedField[]>().notNull(),
    /** The body before the change; null if it was not changed. */
    body_html: text('body_html'),
    body_file: integer('body_file').references(() => fileTable.id, { onDelete: 'set null' }),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('document_edit_of').on(t.document_id, t.id),
    check('document_edit_body_whole', sql`${t.body_file} is null or ${t.body_html} is not null`),
  ],
);
