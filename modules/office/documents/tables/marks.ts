import { sql } from 'drizzle-orm';
import { char, check, index, integer, pgTable, smallint, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { documentTable } from '../tables.ts';

const now = sql`now()`;

/** The pages of a document when somebody first drew on them; kept whatever happens to its text. */
export const documentMarkedPaperTable = pgTable(
  'document_marked_paper',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id, { onDelete: 'cascade' }),
    /** The digest of everything these pages are made of. */
    digest: char('digest', { length: 64 }).notNull(),
    file_id: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    pages: smallint('pages').notNull(),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    uniqueIndex('document_marked_paper_unique').on(t.document_id, t.digest),
    check('document_marked_paper_pages', sql`${t.pages} > 0`),
  ],
);

/** One stroke on such a page; a person's strokes are their layer. */
export const documentStrokeTable = pgTable(
  'document_stroke',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    paper_id: integer('paper_id')
      .notNull()
      .references(() => documentMarkedPaperTable.id, { onDelete: 'cascade' }),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    page: smallint('page').notNull(),
    /** 1 red, 2 blue, 3 black. */
    ink: smallint('ink').notNull(),
    /** x and y of each point in sequence, in ten-thousandths of the page's width from its upper left corner. */
    points: smallint('points').array().notNull(),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    index('document_stroke_of').on(t.paper_id, t.id),
    check('document_stroke_ink', sql`${t.ink} between 1 and 3`),
    check(
      'document_stroke_points',
      sql`cardinality(${t.points}) between 2 and 4000 and cardinality(${t.points}) % 2 = 0
        and array_position(${t.points}, null) is null and 0 <= all (${t.points})`,
    ),
  ],
);
