import { sql, type AnyColumn, type SQL } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { roleTable } from '#modules/access/tables.ts';
import { documentTable } from '#modules/documents/tables.ts';
import { fileTable } from '#modules/files/tables.ts';
import { deptTable, userTable } from '#modules/people/tables.ts';
import { ticketTable } from '#modules/tickets/tables.ts';
import { workflowTable } from '#modules/workflows/tables.ts';
import type { Question } from './contract/quiz.ts';

/** Where papers are filed: a tree of four levels at most. */
export const categoryTable = pgTable(
  'folder_category',
  {
    ...recordColumns(),
    name: varchar('name', { length: 30 }).notNull(),
    code: varchar('code', { length: 20 }).notNull().default(''),
    parent_id: integer('parent_id'),
    order_id: integer('order_id').notNull().default(0),
    status: boolean('status').notNull().default(true),
    /** Decides whether its papers are published; null: as the category above says, at the top at once. */
    workflow_id: integer('workflow_id').references(() => workflowTable.id),
  },
  (t) => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id], name: 'folder_category_parent' }),
    uniqueIndex('folder_category_code')
      .on(t.code)
      .where(sql`${t.code} <> ''`),
    unique('folder_category_name').on(t.parent_id, t.name).nullsNotDistinct(),
    check('folder_category_not_own_parent', sql`${t.parent_id} <> ${t.id}`),
  ],
);

/** Departments a category is kept to, with all below them; none: everybody. */
export const categoryDeptTable = pgTable(
  'folder_category_dept',
  {
    category_id: integer('category_id')
      .notNull()
      .references(() => categoryTable.id, { onDelete: 'cascade' }),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
  },
  (t) => [primaryKey({ columns: [t.category_id, t.dept_id] }), index('folder_category_dept_dept').on(t.dept_id)],
);

/** Who looks after the papers of a category and of all below it, beside what their roles reach. */
export const categoryManagerTable = pgTable(
  'folder_category_manager',
  {
    category_id: integer('category_id')
      .notNull()
      .references(() => categoryTable.id, { onDelete: 'cascade' }),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
  },
  (t) => [primaryKey({ columns: [t.category_id, t.user_id] }), index('folder_category_manager_user').on(t.user_id)],
);

/** An issue number without brackets and blanks, which are written in many ways. */
export const plainNumber = (fwh: AnyColumn): SQL =>
  sql`regexp_replace(${fwh}, '[\\s〔〕\\[\\]［］（）()【】]', '', 'g')`;
/** Numbers that do not end as numbers do, `6号`: few, and looked for one by one. */
export const isOddNumber = (fwh: AnyColumn): SQL =>
  sql`${fwh} <> '' and ${plainNumber(fwh)} !~ '[0-9〇零一二三四五六七八九十百]号$'`;

/** One version of a paper. What was published is never rewritten: a revision is a paper of its own that replaces it. */
export const paperTable = pgTable(
  'folder_paper',
  {
    ...recordColumns(),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    title: varchar('title', { length: 150 }).notNull(),
    category_id: integer('category_id')
      .notNull()
      .references(() => categoryTable.id),
    /** Issue number; empty where it has none. */
    fwh: varchar('fwh', { length: 60 }).notNull().default(''),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
    publish_date: date('publish_date').notNull(),
    effective_date: date('effective_date'),
    expire_date: date('expire_date'),
    /** 0 draft, 1 in force, 2 revised, 3 repealed. */
    status: smallint('status').notNull().default(0),
    /** The ticket that approves its publication, and where that stands. */
    ticket_id: integer('ticket_id').references(() => ticketTable.id),
    act_state: smallint('act_state'),
    version_no: integer('version_no').notNull().default(1),
    /** The paper this one replaces, from its publication on. */
    replace_id: integer('replace_id'),
    content: text('content').notNull().default(''),
    keywords: varchar('keywords', { length: 200 }).notNull().default(''),
    /** Meant for everybody; else for whom `folder_paper_scope` names. */
    scope_all: boolean('scope_all').notNull().default(false),
    must_read: boolean('must_read').notNull().default(false),
    read_deadline: date('read_deadline'),
    /** Asked of whoever confirms it; none: nothing is asked. */
    quiz: jsonb('quiz').$type<Question[]>().notNull().default([]),
    /** The official document it was made from. */
    source_document_id: integer('source_document_id').references(() => documentTable.id),
    top: boolean('top').notNull().default(false),
    /** When it was put in force, and repealed, whatever days it names. */
    published_at: moment('published_at'),
    repealed_at: moment('repealed_at'),
    repeal_reason: varchar('repeal_reason', { length: 200 }),
    repeal_date: date('repeal_date'),
    /** People who opened it, each once. */
    read_count: integer('read_count').notNull().default(0),
    confirm_count: integer('confirm_count').notNull().default(0),
    collect_count: integer('collect_count').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    foreignKey({ columns: [t.replace_id], foreignColumns: [t.id], name: 'folder_paper_replaces' }),
    uniqueIndex('folder_paper_fwh')
      .on(t.fwh)
      .where(sql`${t.fwh} <> ''`),
    index('folder_paper_number').on(plainNumber(t.fwh)),
    index('folder_paper_number_odd').on(t.id).where(isOddNumber(t.fwh)),
    index('folder_paper_title').on(t.title),
    uniqueIndex('folder_paper_replaced_once')
      .on(t.replace_id)
      .where(sql`${t.status} <> 0`),
    index('folder_paper_category').on(t.category_id, t.status),
    index('folder_paper_latest').on(t.status, t.publish_date, t.id),
    index('folder_paper_replace').on(t.replace_id),
    uniqueIndex('folder_paper_ticket').on(t.ticket_id),
    searchIndex('folder_paper_search', t.search),
    check('folder_paper_status', sql`${t.status} between 0 and 3`),
    check('folder_paper_not_itself', sql`${t.replace_id} <> ${t.id}`),
    check('folder_paper_repealed', sql`(${t.status} = 3) = (num_nonnulls(${t.repeal_reason}, ${t.repeal_date}) = 2)`),
    check('folder_paper_expires', sql`${t.expire_date} >= coalesce(${t.effective_date}, ${t.publish_date})`),
  ],
);

/** Whom a paper is meant for: a department with all below it, holders of a role, or a person. */
export const paperScopeTable = pgTable(
  'folder_paper_scope',
  {
    paper_id: integer('paper_id')
      .notNull()
      .references(() => paperTable.id, { onDelete: 'cascade' }),
    dept_id: integer('dept_id').references(() => deptTable.id),
    role_id: integer('role_id').references(() => roleTable.id, { onDelete: 'cascade' }),
    user_id: integer('user_id').references(() => userTable.id),
  },
  (t) => [
    unique('folder_paper_scope_once').on(t.paper_id, t.dept_id, t.role_id, t.user_id).nullsNotDistinct(),
    index('folder_paper_scope_dept').on(t.dept_id),
    index('folder_paper_scope_role').on(t.role_id),
    index('folder_paper_scope_user').on(t.user_id),
    check('folder_paper_scope_one', sql`num_nonnulls(${t.dept_id}, ${t.role_id}, ${t.user_id}) = 1`),
  ],
);

/** The text of a paper as a file, and what is attached to it. */
export const paperFileTable = pgTable(
  'folder_paper_file',
  {
    file_id: integer('file_id')
      .primaryKey()
      .references(() => fileTable.id),
    paper_id: integer('paper_id')
      .notNull()
      .references(() => paperTable.id, { onDelete: 'cascade' }),
    is_body: boolean('is_body').notNull().default(false),
    order_id: integer('order_id').notNull().default(0),
  },
  (t) => [
    index('folder_paper_file_of').on(t.paper_id),
    uniqueIndex('folder_paper_file_body')
      .on(t.paper_id)
      .where(sql`${t.is_body}`),
  ],
);

export const collectTable = pgTable(
  'folder_collect',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    paper_id: integer('paper_id')
      .notNull()
      .references(() => paperTable.id, { onDelete: 'cascade' }),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [unique('folder_collect_once').on(t.user_id, t.paper_id), index('folder_collect_paper').on(t.paper_id)],
);

/** That a person opened a version of a paper, and confirmed it. */
export const readTable = pgTable(
  'folder_read',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    paper_id: integer('paper_id')
      .notNull()
      .references(() => paperTable.id, { onDelete: 'cascade' }),
    version_no: integer('version_no').notNull(),
    first_time: moment('first_time')
      .notNull()
      .default(sql`now()`),
    last_time: moment('last_time')
      .notNull()
      .default(sql`now()`),
    times: integer('times').notNull().default(1),
    confirmed_at: moment('confirmed_at'),
  },
  (t) => [primaryKey({ columns: [t.paper_id, t.user_id, t.version_no] }), index('folder_read_user').on(t.user_id)],
);

/** What people looked for among the papers and did not find, by day; not who did. */
export const missTable = pgTable(
  'folder_search_miss',
  {
    word: varchar('word', { length: 50 }).notNull(),
    day: date('day')
      .notNull()
      .default(sql`current_date`),
    times: integer('times').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.word, t.day] }), index('folder_search_miss_day').on(t.day)],
);
