import { sql } from 'drizzle-orm';
import { char, check, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { inSql, moment } from '#kernel/server/db/columns.ts';
import { contentTable } from '#modules/platform/files/tables.ts';
import { bodyWay } from '../contract/files/body.ts';

/** The result of reading a content that is the body of documents, once per content. */
export const documentBodyTable = pgTable(
  'document_body',
  {
    sha256: char('sha256', { length: 64 })
      .primaryKey()
      .references(() => contentTable.sha256, { onDelete: 'cascade' }),
    /** 1 set as our own text, 2 its pages between ours, 3 named on our page and kept beside it. */
    way: smallint('way').notNull(),
    words: text('words').notNull(),
    pages: integer('pages'),
    /** Parts that are not set, in words. */
    losses: jsonb('losses').$type<string[]>().notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [check('document_body_way', sql`${t.way} between ${inSql(bodyWay.text)} and ${inSql(bodyWay.apart)}`)],
);
