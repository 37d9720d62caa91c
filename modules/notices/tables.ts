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
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    dept_id: integer('dept_id').references(() => deptTable.id),
    title: varchar('title', { length: 100 }).notNull(),
    content: text('content').notNull(),
    document_id: integer('document_id').references(() => documentTable.id),
    /** `all`, or whom `document_notice_scope` names. */
    scope: varchar('scope', { length: 5 }).notNull().$type<'all' | 'depts' | 'users' | 'roles'>(),
    top: boolean('top').notNull().default(false),
    need_receipt: boolean('need_receipt').notNull().default(false),
    publish_at: moment('publish_at').notNull(),
    expire_at: moment('expire_at'),
    /** How many were told when it was published, and how many have read it. */
    total: integer('total').notNull().default(0),
    read: integer('read').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    index('document_notice_newest')
      .on(t.top, t.publish_at, t.id)
      .where(sql`not ${t.is_deleted}`),
    searchIndex('document_notice_search', t.search),
    check('document_notice_scope_kind', sql`${t.scope} in ('all', 'depts', 'users', 'roles')`),
    check('document_notice_expires', sql`${t.expire_at} > ${t.publish_at}`),
  ],
);

/** Whom a notice is for that is not for everybody: a department with all below it, a person, or holders of a role. */
export const documentNoticeScopeTable = pgTable(
  'document_notice_scope',
  {
    notice_id: integer('notice_id')
      .notNull()
      .references(() => documentNoticeTable.id, { onDelete: 'cascade' }),
    dept_id: integer('dept_id').references(() => deptTable.id),
    role_id: integer('role_id').references(() => roleTable.id, { onDelete: 'cascade' }),
    user_id: integer('user_id').references(() => userTable.id),
  },
  (t) => [
    unique('document_notice_scope_once').on(t.notice_id, t.dept_id, t.role_id, t.user_id).nullsNotDistinct(),
    check('document_notice_scope_one', sql`num_nonnulls(${t.dept_id}, ${t.role_id}, ${t.user_id}) = 1`),
  ],
);

/** That a person read a notice. */
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
