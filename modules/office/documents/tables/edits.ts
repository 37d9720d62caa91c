import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { EditedField } from '../contract/files/edits.ts';
import { documentTable } from '../tables.ts';

/** A change that somebody made to a document, with what was there before. */
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
    /** When the document had been sent off; what was changed before is its author's alone. */
    sent_at: moment('sent_at'),
    /** Where the document stood, as people call it. */
    state: varchar('state', { length: 100 }).notNull(),
    /** In words, as they were and became then. */
    fields: jsonb('fields').$type<EditedField[]>().notNull(),
    /** What the body was before; null where it was not changed. */
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
