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
} from 'drizzle-orm/pg-core';
import { unique, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { searchIndex } from '#kernel/server/list/search.ts';
import { documentTable } from '#modules/office/documents/tables.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { audienceColumn, audienceRules, deptTable, userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns } from '#modules/workflow/records/tables.ts';
import { workflowTable } from '#modules/workflow/workflows/tables.ts';
import { paperStatus } from './contract/list.ts';
import type { Question } from './contract/papers.ts';

const now = sql`now()`;

/** Categories of papers: a tree of at most four levels. */
export const categoryTable = pgTable(
  'folder_category',
  {
    ...recordColumns(),
    name: varchar('name', { length: 30 }).notNull(),
    code: varchar('code', { length: 20 }).notNull().default(''),
    parent_id: integer('parent_id'),
    order_id: integer('order_id').notNull().default(0),
    status: boolean('status').notNull().default(true),
    /** The workflow that decides on publication; null inherits from the parent, and at the top publishes at once. */
    workflow_id: integer('workflow_id').references(() => workflowTable.id),
    /** Departments to which its papers and those of all descendants are restricted; everybody by default. */
    audience: audienceColumn().default(['a0']),
    /** The people who manage its papers and those of all descendants, besides those whose roles reach them. */
    manager_ids: integer('manager_ids').array().notNull().default([]),
  },
  (t) => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id], name: 'folder_category_parent' }),
    uniqueIndex('folder_category_code')
      .on(t.code)
      .where(sql`${t.code} <> ''`),
    uniqueIndex('folder_category_name').on(sql`coalesce(${t.parent_id}, 0)`, plainSql(sql`${t.name}`)),
    check('folder_category_not_own_parent', sql`${t.parent_id} <> ${t.id}`),
    ...audienceRules('folder_category', t.audience),
  ],
);

/** An issue number without brackets and blanks, which vary in writing. */
export const plainNumber = (fwh: AnyColumn): SQL =>
  sql`regexp_replace(${fwh}, '[\\s〔〕\\[\\]［］（）()【】]', '', 'g')`;
/** The form in which issue numbers are compared, independent of brackets, digits and blanks. */
const sameNumber = (fwh: AnyColumn): SQL =>
  sql`regexp_replace(${plainSql(sql`${fwh}`)}, '[〔〕\\[\\]()【】]', '', 'g')`;
/** Numbers without the usual ending `6号`; they are few, and are searched one by one. */
export const isOddNumber = (fwh: AnyColumn): SQL =>
  sql`${fwh} <> '' and ${plainNumber(fwh)} !~ '[0-9〇零一二三四五六七八九十百]号$'`;

/** One version of a paper. A published text is never rewritten: a revision is a new paper that replaces it. */
export const paperTable = pgTable(
  'folder_paper',
  {
    ...recordColumns(),
    ...approvalColumns(),
    title: varchar('title', { length: 150 }).notNull(),
    category_id: integer('category_id')
      .notNull()
      .references(() => categoryTable.id),
    /** The issue number; empty if it has none. */
    fwh: varchar('fwh', { length: 60 }).notNull().default(''),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
    publish_date: date('publish_date').notNull(),
    effective_date: date('effective_date'),
    expire_date: date('expire_date'),
    /** 0 draft, 1 in force, 2 revised, 3 repealed. */
    status: smallint('status').notNull().default(0),
    version_no: integer('version_no').notNull().default(1),
    /** The paper that this one replaces once it is published. */
    replace_id: integer('replace_id'),
    content: text('content').notNull().default(''),
    file: integer('file_id').references(() => fileTable.id),
    attachments: integer('attachment_ids').array().notNull().default([]),
    keywords: varchar('keywords', { length: 200 }).notNull().default(''),
    audience: audienceColumn(),
    must_read: boolean('must_read').notNull().default(false),
    read_deadline: date('read_deadline'),
    /** The questions on confirmation; empty if there are none. */
    quiz: jsonb('quiz').$type<Question[]>().notNull().default([]),
    /** The official document it was made from. */
    source_document_id: integer('source_document_id').references(() => documentTable.id),
    top: boolean('top').notNull().default(false),
    /** The moments of publication and repeal, independent of the days that the paper names. */
    published_at: moment('published_at'),
    repealed_at: moment('repealed_at'),
    repeal_reason: varchar('repeal_reason', { length: 200 }),
    repeal_date: date('repeal_date'),
    /** The number of people who opened it. */
    read_count: integer('read_count').notNull().default(0),
    confirm_count: integer('confirm_count').notNull().default(0),
    collect_count: integer('collect_count').notNull().default(0),
  },
  (t) => [
    foreignKey({ columns: [t.replace_id], foreignColumns: [t.id], name: 'folder_paper_replaces' }),
    uniqueIndex('folder_paper_fwh')
      .on(sameNumber(t.fwh))
      .where(sql`${t.fwh} <> ''`),
    index('folder_paper_number').on(plainNumber(t.fwh)),
    index('folder_paper_number_odd').on(t.id).where(isOddNumber(t.fwh)),
    index('folder_paper_title').on(t.title),
    unique('folder_paper_one_revision').on(t.replace_id),
    index('folder_paper_category').on(t.category_id, t.status),
    index('folder_paper_latest').on(t.status, t.publish_date, t.id),
    searchIndex('folder_paper_search', t.search),
    ...audienceRules('folder_paper', t.audience),
    check(
      'folder_paper_status',
      sql`${t.status} between ${inSql(paperStatus.draft)} and ${inSql(paperStatus.repealed)}`,
    ),
    check('folder_paper_not_itself', sql`${t.replace_id} <> ${t.id}`),
    check(
      'folder_paper_repealed',
      sql`(${t.status} = ${inSql(paperStatus.repealed)}) = (num_nonnulls(${t.repeal_reason}, ${t.repeal_date}) = 2)`,
    ),
    check('folder_paper_expires', sql`${t.expire_date} >= coalesce(${t.effective_date}, ${t.publish_date})`),
  ],
);

const byReader = () => ({
  user_id: integer('user_id')
    .notNull()
    .references(() => userTable.id),
  paper_id: integer('paper_id')
    .notNull()
    .references(() => paperTable.id, { onDelete: 'cascade' }),
});

export const collectTable = pgTable(
  'folder_collect',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    ...byReader(),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [unique('folder_collect_once').on(t.user_id, t.paper_id), index('folder_collect_paper').on(t.paper_id)],
);

/** The reading of a version by a person, and its confirmation. */
export const readTable = pgTable(
  'folder_read',
  {
    ...byReader(),
    version_no: integer('version_no').notNull(),
    first_time: moment('first_time').notNull().default(now),
    last_time: moment('last_time').notNull().default(now),
    times: integer('times').notNull().default(1),
    confirmed_at: moment('confirmed_at'),
  },
  (t) => [primaryKey({ columns: [t.paper_id, t.user_id, t.version_no] }), index('folder_read_user').on(t.user_id)],
);

/** Searches without a hit, by day; without the person. */
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
