import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, unique, varchar } from 'drizzle-orm/pg-core';
import { deletable, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { roleTable } from '#modules/access/tables.ts';
import { documentTable } from '#modules/documents/tables.ts';
import { deptTable, userTable } from '#modules/people/tables.ts';

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
    /** `all`, or whom `document_notice_scope` names. */
    scope: varchar('scope', { length: 5 }).notNull().$type<'all' | 'depts' | 'users' | 'roles'>(),
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
    check('document_notice_scope_kind', sql`${t.scope} in ('all', 'depts', 'users', 'roles')`),
    check('document_notice_expires', sql`${t.expires} > ${t.published}`),
  ],
);

/** Whom a notice is for that is not for everybody: a department with all below it, a person, or holders of a role. */
export const documentNoticeScopeTable = pgTable(
  'document_notice_scope',
  {
    noticeId: integer('notice_id')
      .notNull()
      .references(() => documentNoticeTable.id, { onDelete: 'cascade' }),
    deptId: integer('dept_id').references(() => deptTable.id),
    roleId: integer('role_id').references(() => roleTable.id, { onDelete: 'cascade' }),
    userId: integer('user_id').references(() => userTable.id),
  },
  (t) => [
    unique('document_notice_scope_once').on(t.noticeId, t.deptId, t.roleId, t.userId).nullsNotDistinct(),
    check('document_notice_scope_one', sql`num_nonnulls(${t.deptId}, ${t.roleId}, ${t.userId}) = 1`),
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
