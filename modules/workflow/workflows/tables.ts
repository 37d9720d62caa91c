import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
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
import { onOff } from '#kernel/contract/titles.ts';
import { deletable, inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { noticeTypes } from './contract/notices.ts';
import type { outcomes } from './contract/schedules.ts';
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
    /** 0 stopped: no new tickets are started, running ones go on. */
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
      .on(plainSql(sql`${table.name}`))
      .where(sql`not ${table.is_deleted}`),
    check('workflow_status_known', sql`${table.status} in (${inSql(onOff.off, onOff.on)})`),
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
    /** The publisher's note. */
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

/** People who see, intervene in or administer a workflow beyond their own tickets. */
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

/** Channels for notices other than our own messages. Secrets are sealed; empty if there is none. */
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
    agent_id: varchar({ length: 100 }).notNull().default(''),
    /** Key of `cardDecisions`. */
    card_decides: smallint().notNull().default(0),
    hook_token: text().notNull().default(''),
    corpsecret: text().notNull().default(''),
    appsecret: text().notNull().default(''),
    status: smallint().notNull().default(1),
    version: integer().notNull().default(0),
    gmt_created: at().notNull().defaultNow(),
    gmt_modified: at().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('custom_notice_name_unique').on(plainSql(sql`${table.name}`)),
    check(
      'custom_notice_type_known',
      sql`${table.type_id} between ${inSql(noticeTypes.hook)} and ${inSql(noticeTypes.feishu_app)}`,
    ),
    check(
      'custom_notice_card_decides',
      sql`${table.card_decides} = 0 or (${table.card_decides} in (1, 2) and ${table.type_id} between ${inSql(noticeTypes.wecom_app)} and ${inSql(noticeTypes.feishu_app)})`,
    ),
    check('custom_notice_status_known', sql`${table.status} in (${inSql(onOff.off, onOff.on)})`),
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
  (table) => [uniqueIndex('user_group_name_unique').on(plainSql(sql`${table.name}`))],
);

/** Schedules that start a workflow: times, the person in whose name, and the values. */
export const scheduleTable = pgTable(
  'workflow_schedule',
  {
    ...recordColumns(),
    ...deletable(),
    workflow_id: integer()
      .notNull()
      .references(() => workflowTable.id),
    creator_id: integer().references(() => userTable.id),
    name: varchar({ length: 30 }).notNull(),
    person_id: integer()
      .notNull()
      .references(() => userTable.id),
    /** The people who set it up, or changed its values or its person. */
    author_ids: integer().array().notNull().default([]),
    /** 1 daily, 2 weekly, 3 monthly, 4 yearly. */
    every: smallint().notNull(),
    interval: smallint().notNull().default(1),
    weekdays: integer().array().notNull().default([]),
    month_days: integer().array().notNull().default([]),
    at_time: varchar({ length: 5 }).notNull(),
    begins_on: date({ mode: 'string' }).notNull(),
    ends_on: date({ mode: 'string' }),
    workdays_only: boolean().notNull().default(false),
    values: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    status: smallint().notNull().default(1),
    /** Null if no date follows. */
    next_at: moment('next_at'),
  },
  (table) => [
    uniqueIndex('workflow_schedule_name_unique')
      .on(table.workflow_id, plainSql(sql`${table.name}`))
      .where(sql`not ${table.is_deleted}`),
    index('workflow_schedule_due')
      .on(table.next_at)
      .where(sql`${table.status} = ${inSql(onOff.on)} and not ${table.is_deleted}`),
    check('workflow_schedule_every_known', sql`${table.every} between 1 and 4 and ${table.interval} between 1 and 99`),
    check('workflow_schedule_status_known', sql`${table.status} in (${inSql(onOff.off, onOff.on)})`),
  ],
);

/** The result of a schedule's date: each date exists once, whichever node ran it. */
export const scheduleRunTable = pgTable(
  'workflow_schedule_run',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    schedule_id: integer()
      .notNull()
      .references(() => scheduleTable.id),
    due_at: moment('due_at').notNull(),
    missed: integer().notNull().default(0),
    outcome: varchar({ length: 10 }).$type<(typeof outcomes)[number]>().notNull(),
    message: varchar({ length: 300 }).notNull().default(''),
    ticket_id: integer(),
    /** After a failure, the people it waits for: those who administered the workflow then. */
    asked: integer().array().notNull().default([]),
    handled_at: moment('handled_at'),
    handled_by: integer().references(() => userTable.id),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    uniqueIndex('workflow_schedule_run_once').on(table.schedule_id, table.due_at),
    index('workflow_schedule_run_open')
      .on(table.schedule_id)
      .where(sql`${table.outcome} = 'failed' and ${table.handled_at} is null`),
    check('workflow_schedule_run_outcome_known', sql`${table.outcome} in ('started', 'skipped', 'failed')`),
    check('workflow_schedule_run_ticket', sql`(${table.outcome} = 'started') = (${table.ticket_id} is not null)`),
  ],
);
