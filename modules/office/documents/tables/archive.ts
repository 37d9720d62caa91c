import { sql } from 'drizzle-orm';
import { char, check, integer, pgTable, smallint, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment, plainSql } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { documentTable } from '../tables.ts';

/** The archiving of a document, once; the document is read-only from then on. */
export const documentArchiveTable = pgTable(
  'document_archive',
  {
    document_id: integer('document_id')
      .primaryKey()
      .references(() => documentTable.id),
    /** 1 for ever, 2 thirty years, 3 ten years. */
    retention: smallint('retention').notNull(),
    archive_no: varchar('archive_no', { length: 60 }).notNull(),
    archived_by: integer('archived_by')
      .notNull()
      .references(() => userTable.id),
    archived_at: moment('archived_at')
      .notNull()
      .default(sql`now()`),
    /** The hash of the finished letter, which is in the package. */
    final_sha256: char('final_sha256', { length: 64 }),
    /** The package; null while it is being made. */
    package_id: integer('package_id').references(() => fileTable.id),
  },
  (t) => [
    uniqueIndex('document_archive_no_unique').on(plainSql(sql`${t.archive_no}`)),
    check('document_archive_retention', sql`${t.retention} between 1 and 3`),
  ],
);
