import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import { deletable, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { documentTable } from '#modules/documents/tables.ts';
import { audienceColumn, audienceRules, deptTable, userTable } from '#modules/people/tables.ts';

/** Something the office makes known about documents. */
export const documentNoticeTable = pgTable(
  'document_notice',
  {
    ...recordColumns(),
    ...deletable(),
    creatorId: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    deptId: integer('dept_id').references(() => deptTable.id),
    title: varchar('title', { length: 100 }).notNull(),
    content: text('content').notNull(),
    documentId: integer('document_id').references(() => documentTable.id),
    /** Whom it is for. */
    audience: audienceColumn(),
    top: boolean('top').notNull().default(false),
    needReceipt: boolean('need_receipt').notNull().default(false),
    published: moment('publish_at').notNull(),
    expires: moment('expire_at'),
    /** How many were told when it was published, and how many have read it. */
    total: integer('total').notNull().default(0),
    read: integer('read').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    index('document_notice_newest')
      .on(t.top, t.published, t.id)
      .where(sql`not ${t.deleted}`),
    searchIndex('document_notice_search', t.search),
    ...audienceRules('document_notice', t.audience),
    check('document_notice_expires', sql`${t.expires} > ${t.published}`),
  ],
);

/** That a person read a notice. */
export const documentNoticeReadTable = pgTable(
  'document_notice_read',
  {
    noticeId: integer('notice_id')
      .notNull()
      .references(() => documentNoticeTable.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    readTime: moment('read_time')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.noticeId, t.userId] })],
);
