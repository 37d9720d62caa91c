import { sql } from 'drizzle-orm';
import { boolean, char, check, index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/files/tables.ts';
import { userTable } from '#modules/people/tables.ts';
import { documentTable } from '../tables.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const person = (name: string) => integer(name).references(() => userTable.id);
const now = sql`now()`;

/** A place for a file in a document, its body or one attachment: it stays the same while what lies there is saved anew. */
export const documentFileTable = pgTable(
  'document_file',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    documentId: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    isBody: boolean('is_body').notNull(),
    /** Of the version that lies there now. */
    versionNo: integer('version_no').notNull().default(1),
    fileId: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    /** When it was taken out of the document; its versions stay. */
    removed: moment('removed_at'),
    /** Of an editor that works on it; all three or none. */
    lockId: varchar('lock_id', { length: 1024 }),
    lockedBy: person('locked_by'),
    lockUntil: moment('lock_until'),
    created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    uniqueIndex('document_file_one_body')
      .on(t.documentId)
      .where(sql`${t.isBody}`),
    index('document_file_of').on(t.documentId, t.id),
    check('document_file_version', sql`${t.versionNo} > 0`),
    check(
      'document_file_lock_whole',
      sql`(${t.lockId} is null) = (${t.lockedBy} is null) and (${t.lockId} is null) = (${t.lockUntil} is null)`,
    ),
  ],
);

/** What lay in such a place, one row for each time it was saved. */
export const documentFileVersionTable = pgTable(
  'document_file_version',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    documentFileId: integer('document_file_id')
      .notNull()
      .references(() => documentFileTable.id, { onDelete: 'cascade' }),
    versionNo: integer('version_no').notNull(),
    fileId: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    sha256: char('sha256', { length: 64 }).notNull(),
    editorId: person('editor').notNull(),
    reason: line('reason', 200),
    created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    uniqueIndex('document_file_version_unique').on(t.documentFileId, t.versionNo),
    index('document_file_version_file').on(t.fileId),
    check('document_file_version_no', sql`${t.versionNo} > 0`),
  ],
);
