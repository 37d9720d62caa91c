import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { recordColumns } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/people/tables.ts';
import type { Definition } from './engine/definition.ts';

const at = () => timestamp({ withTimezone: true, mode: 'string' });

export const workflowTable = pgTable(
  'workflow',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    key: varchar({ length: 50 }).notNull(),
    name: varchar({ length: 50 }).notNull(),
    description: varchar({ length: 200 }).notNull().default(''),
    icon: varchar({ length: 50 }).notNull().default(''),
    category: varchar({ length: 50 }).notNull().default(''),
    /** The module whose records run on it; null for plain tickets. */
    module: varchar({ length: 30 }),
    order_id: integer().notNull().default(0),
    /** 0 stopped: nothing new is started, what runs goes on. */
    status: smallint().notNull().default(1),
    creator_id: integer().references(() => userTable.id),
    version: integer().notNull().default(0),
    is_deleted: boolean().notNull().default(false),
    gmt_created: at().notNull().defaultNow(),
    gmt_modified: at().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('workflow_key_unique')
      .on(table.key)
      .where(sql`not ${table.is_deleted}`),
    uniqueIndex('workflow_name_unique')
      .on(table.name)
      .where(sql`not ${table.is_deleted}`),
    check('workflow_status_known', sql`${table.status} in (0, 1)`),
  ],
);

/** A definition as a whole. A published one is never changed again: a trigger of the migration refuses it. */
export const workflowVersionTable = pgTable(
  'workflow_version',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    workflow_id: integer()
      .notNull()
      .references(() => workflowTable.id),
    no: integer().notNull(),
    status: varchar({ length: 10, enum: ['draft', 'published', 'retired'] }).notNull(),
    definition: jsonb().$type<Definition>().notNull(),
    /** SHA-256 of the definition's canonical JSON, hexadecimal. */
    hash: varchar({ length: 64 }).notNull(),
    /** What whoever published it says about it. */
    note: varchar({ length: 200 }).notNull().default(''),
    published_by: integer().references(() => userTable.id),
    published_at: at(),
    gmt_created: at().notNull().defaultNow(),
    gmt_modified: at().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('workflow_version_no_unique').on(table.workflow_id, table.no),
    uniqueIndex('workflow_version_one_published')
      .on(table.workflow_id)
      .where(sql`${table.status} = 'published'`),
    uniqueIndex('workflow_version_one_draft')
      .on(table.workflow_id)
      .where(sql`${table.status} = 'draft'`),
    check('workflow_version_status_known', sql`${table.status} in ('draft', 'published', 'retired')`),
    check('workflow_version_published_at', sql`(${table.status} = 'draft') = (${table.published_at} is null)`),
    check('workflow_version_no_positive', sql`${table.no} > 0`),
  ],
);

/** Who sees, intervenes in or administers a workflow beyond their own tickets. */
export const workflowGrantTable = pgTable(
  'workflow_grant',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    workflow_id: integer()
      .notNull()
      .references(() => workflowTable.id, { onDelete: 'cascade' }),
    permission: varchar({ length: 10, enum: ['view', 'intervene', 'admin'] }).notNull(),
    holder_type: varchar({ length: 10, enum: ['user', 'dept', 'role'] }).notNull(),
    /** Id of the user or department, code of the role. */
    holder: text().notNull(),
    gmt_created: at().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('workflow_grant_unique').on(table.workflow_id, table.permission, table.holder_type, table.holder),
    index('workflow_grant_holder').on(table.holder_type, table.holder, table.permission),
    check('workflow_grant_permission_known', sql`${table.permission} in ('view', 'intervene', 'admin')`),
    check('workflow_grant_holder_known', sql`${table.holder_type} in ('user', 'dept', 'role')`),
  ],
);

/** Where notices go besides the application itself. Secrets are sealed; empty where there is none. */
export const customNoticeTable = pgTable(
  'custom_notice',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: varchar({ length: 50 }).notNull(),
    description: varchar({ length: 200 }).notNull().default(''),
    type_id: smallint().notNull(),
    hook_url: varchar({ length: 500 }).notNull().default(''),
    corpid: varchar({ length: 100 }).notNull().default(''),
    appkey: varchar({ length: 100 }).notNull().default(''),
    hook_token: text().notNull().default(''),
    corpsecret: text().notNull().default(''),
    appsecret: text().notNull().default(''),
    status: smallint().notNull().default(1),
    version: integer().notNull().default(0),
    gmt_created: at().notNull().defaultNow(),
    gmt_modified: at().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('custom_notice_name_unique').on(table.name),
    check('custom_notice_type_known', sql`${table.type_id} between 1 and 7`),
    check('custom_notice_status_known', sql`${table.status} in (0, 1)`),
  ],
);

/** A list of people that an administrator keeps, for workflows to ask. */
export const userGroupTable = pgTable(
  'user_group',
  {
    ...recordColumns(),
    name: varchar({ length: 30 }).notNull(),
    note: varchar({ length: 200 }).notNull().default(''),
    people: integer().array().notNull().default([]),
  },
  (table) => [uniqueIndex('user_group_name_unique').on(table.name)],
);
