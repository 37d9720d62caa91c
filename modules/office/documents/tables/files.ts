import { sql } from 'drizzle-orm';
import { boolean, char, check, index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { documentTable } from '../tables.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const person = (name: string) => integer(name).references(() => userTable.id);
const now = sql`now()`;

/** A place for a file in a document, for its body or one attachment; it stays the same across versions. */
export const documentFileTable = pgTable(
  'document_file',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    is_body: boolean('is_body').notNull(),
    /** The number of the present version. */
    version_no: integer('version_no').notNull().default(1),
    file_id: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    /** Set when it was removed from the document; its versions stay. */
    removed_at: moment('removed_at'),
    /** The editor's lock; all three are set, or none. */
    lock_id: varchar('lock_id', { length: 1024 }),
    locked_by: person('locked_by'),
    lock_until: moment('lock_until'),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    uniqueIndex('document_file_one_body')
      .on(t.document_id)
      .where(sql`${t.is_body}`),
    index('document_file_of').on(t.document_id, t.id),
    check('document_file_version', sql`${t.version_no} > 0`),
    check(
      'document_file_lock_whole',
      sql`(${t.lock_id} is null) = (${t.locked_by} is null) and (${t.lock_id} is null) = (${t.lock_until} is null)`,
    ),
  ],
);

/** A version in such a place, one row for each save. */
export const documentFileVersionTable = pgTable(
  'document_file_version',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_file_id: integer('document_file_id')
      .notNull()
      .references(() => documentFileTable.id, { onDelete: 'cascade' }),
    version_no: integer('version_no').notNull(),
    file_id: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    sha256: char('sha256', { length: 64 }).notNull(),
    editor: person('editor').notNull(),
    reason: line('reason', 200),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    uniqueIndex('document_file_version_unique').on(t.document_file_id, t.version_no),
    index('document_file_version_file').on(t.file_id),
    check('document_file_version_no', sql`${t.version_no} > 0`),
  ],
);
