import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { text, unique, varchar, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import type { TemplateVariable } from '../contract/templates.ts';
import { templateStatus } from '../contract/templates.ts';

/** What contracts are filed under: who must see them, from which amounts on they go further up, and their usual text. */
export const contractCategoryTable = pgTable(
  'contract_category',
  {
    ...recordColumns(),
    name: varchar('name', { length: 30 }).notNull(),
    /** Stands in the numbers of its contracts. */
    code: varchar('code', { length: 10 }).notNull(),
    parent_id: integer('parent_id'),
    order_id: integer('order_id').notNull().default(0),
    status: boolean('status').notNull().default(true),
    /** 归口部门; none: none is asked besides the undertaking one. */
    manage_dept: integer('manage_dept').references(() => deptTable.id),
    need_legal: boolean('need_legal').notNull().default(false),
    /** Amounts from which on a contract that pays, or is paid, is a step higher; rising. */
    out_steps: jsonb('out_steps').$type<number[]>().notNull().default([50_000, 500_000]),
    in_steps: jsonb('in_steps').$type<number[]>().notNull().default([50_000, 500_000]),
    default_template_id: integer('default_template_id').references((): AnyPgColumn => contractTemplateTable.id),
    retention: varchar('retention', { length: 10 }).notNull().default('30年'),
    /** Whether the page for strangers says what a contract is called. */
    verify_title: boolean('verify_title').notNull().default(false),
  },
  (t) => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id], name: 'contract_category_parent' }),
    unique('contract_category_code').on(t.code),
    uniqueIndex('contract_category_name').on(sql`coalesce(${t.parent_id}, 0)`, plainSql(sql`${t.name}`)),
    check('contract_category_not_own_parent', sql`${t.parent_id} <> ${t.id}`),
    check('contract_category_code_form', sql`${t.code} ~ '^[A-Z0-9]+$'`),
  ],
);

/** A text that contracts of a category are written from; its words stand in its versions. */
export const contractTemplateTable = pgTable(
  'contract_template',
  {
    ...recordColumns(),
    name: varchar('name', { length: 60 }).notNull(),
    category_id: integer('category_id')
      .notNull()
      .references(() => contractCategoryTable.id),
    /** 0 draft, 1 in use, 2 out of use. */
    status: smallint('status').notNull().default(0),
    /** Its newest version. */
    version_no: integer('version_no').notNull().default(1),
  },
  (t) => [
    uniqueIndex('contract_template_name').on(plainSql(sql`${t.name}`)),
    index('contract_template_category').on(t.category_id),
    check(
      'contract_template_status',
      sql`${t.status} between ${inSql(templateStatus.draft)} and ${inSql(templateStatus.outOfUse)}`,
    ),
  ],
);

/** The words of a template as they stood: once a contract was written from them they are not changed any more (a trigger). */
export const contractTemplateVersionTable = pgTable(
  'contract_template_version',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    template_id: integer('template_id')
      .notNull()
      .references(() => contractTemplateTable.id, { onDelete: 'cascade' }),
    no: integer('no').notNull(),
    /** Formatted text with variables and locked clauses as elements of their own. */
    content: text('content').notNull(),
    variables: jsonb('variables').$type<TemplateVariable[]>().notNull().default([]),
    sha256: char('sha256', { length: 64 }).notNull(),
    change_log: varchar('change_log', { length: 300 }).notNull().default(''),
    effective_date: date('effective_date'),
    creator_id: integer('creator_id').references(() => userTable.id),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [unique('contract_template_version_no').on(t.template_id, t.no)],
);
