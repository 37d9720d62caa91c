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

/** A category of contracts: its reviews, the thresholds for higher steps, and its usual text. */
export const contractCategoryTable = pgTable(
  'contract_category',
  {
    ...recordColumns(),
    name: varchar('name', { length: 30 }).notNull(),
    /** Part of the numbers of its contracts. */
    code: varchar('code', { length: 10 }).notNull(),
    parent_id: integer('parent_id'),
    order_id: integer('order_id').notNull().default(0),
    status: boolean('status').notNull().default(true),
    /** 归口部门; without one, only the undertaking department reviews. */
    manage_dept: integer('manage_dept').references(() => deptTable.id),
    need_legal: boolean('need_legal').notNull().default(false),
    /** Rising amounts from which a contract with payments, or receipts, is a step higher. */
    out_steps: jsonb('out_steps').$type<number[]>().notNull().default([50_000, 500_000]),
    in_steps: jsonb('in_steps').$type<number[]>().notNull().default([50_000, 500_000]),
    default_template_id: integer('default_template_id').references((): AnyPgColumn => contractTemplateTable.id),
    retention: varchar('retention', { length: 10 }).notNull().default('30年'),
    /** True if the verification page for strangers shows the names of its contracts. */
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

/** A text template of a category; its versions hold the text. */
export const contractTemplateTable = pgTable(
  'contract_template',
  {
    ...recordColumns(),
    name: varchar('name', { length: 60 }).notNull(),
    category_id: integer('category_id')
      .notNull()
      .references(() => contractCategoryTable.id),
    /** 0 draft, 1 in use, 2 retired. */
    status: smallint('status').notNull().default(0),
    /** The number of its newest version. */
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

/** The text of a template version; fixed once a contract was written from it (trigger). */
export const contractTemplateVersionTable = pgTable(
  'contract_template_version',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    template_id: integer('template_id')
      .notNull()
      .references(() => contractTemplateTable.id, { onDelete: 'cascade' }),
    no: integer('no').notNull(),
    /** Formatted text with elements for variables and locked clauses. */
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
