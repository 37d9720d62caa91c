import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import { deletable, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { documentTable } from '#modules/office/documents/tables.ts';
import { audienceColumn, audienceRules, deptTable, userTable } from '#modules/platform/people/tables.ts';

/** A notice of the office about documents. */
export const documentNoticeTable = pgTable(
  'document_notice',
  {
    ...recordColumns(),
    ...deletable(),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    dept_id: integer('dept_id').references(() => deptTable.id),
    title: varchar('title', { length: 100 }).notNull(),
    content: text('content').notNull(),
    document_id: integer('document_id').references(() => documentTable.id),
    /** Its audience. */
    audience: audienceColumn(),
    top: boolean('top').notNull().default(false),
    need_receipt: boolean('need_receipt').notNull().default(false),
    publish_at: moment('publish_at').notNull(),
    expire_at: moment('expire_at'),
    /** The number of people notified on publication, and of those who have read it. */
    total: integer('total').notNull().default(0),
    read: integer('read').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    index('document_notice_newest')
      .on(t.top, t.publish_at, t.id)
      .where(sql`not ${t.is_deleted}`),
    searchIndex('document_notice_search', t.search),
    ...audienceRules('document_notice', t.audience),
    check('document_notice_expires', sql`${t.expire_at} > ${t.publish_at}`),
  ],
);

/** The reading of a notice by a person. */
export const documentNoticeReadTable = pgTable(
  'document_notice_read',
  {
    notice_id: integer('notice_id')
      .notNull()
      .references(() => documentNoticeTable.id, { onDelete: 'cascade' }),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    read_time: moment('read_time')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.notice_id, t.user_id] })],
);
