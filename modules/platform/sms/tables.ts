import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { onOff } from '#kernel/contract/titles.ts';
import { deletable, inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import type { AlumnusFilter } from '#modules/platform/alumni/contract/filter.ts';
import { alumnusTable } from '#modules/platform/alumni/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { batchState, smsState, smsType } from './contract/labels.ts';

export const smsTemplateTable = pgTable(
  'sms_template',
  {
    ...recordColumns(),
    ...deletable(),
    code: varchar('code', { length: 40 }).notNull(),
    name: varchar('name', { length: 40 }).notNull(),
    /** With `{name}` for placeholders. */
    content: varchar('content', { length: 500 }).notNull(),
    /** 1 verification code, 2 notice, 3 alarm. */
    type: smallint('type').notNull(),
    /** Empty: the configured signature. */
    sign: varchar('sign', { length: 20 }).notNull().default(''),
    /** Its id at the provider. */
    provider_template_id: varchar('provider_template_id', { length: 60 }).notNull().default(''),
    /** 1 in use, 0 put aside. */
    status: smallint('status').notNull().default(1),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('sms_template_code_unique')
      .on(t.code)
      .where(sql`not ${t.is_deleted}`),
    searchIndex('sms_template_search', t.search),
    check('sms_template_type', sql`${t.type} between ${inSql(smsType.code)} and ${inSql(smsType.alarm)}`),
    check('sms_template_status', sql`${t.status} in (${inSql(onOff.off, onOff.on)})`),
  ],
);

/** One sending to one or many numbers. */
export const smsBatchTable = pgTable(
  'sms_batch',
  {
    ...recordColumns(),
    /** Null for the system. */
    sender_id: integer('sender_id').references(() => userTable.id),
    dept_id: integer('dept_id').references(() => deptTable.id),
    template_id: integer('template_id').references(() => smsTemplateTable.id),
    content: varchar('content', { length: 500 }).notNull(),
    type: smallint('type').notNull(),
    total: integer('total').notNull(),
    segments: integer('segments').notNull(),
    send_at: moment('send_at'),
    /** 0 waits for a second person, 1 released, 2 withdrawn. */
    state: smallint('state').notNull().default(1),
    released_by: integer('released_by').references(() => userTable.id),
    /** The time it was posted and charged to the quotas. */
    released_at: moment('released_at'),
  },
  (t) => [
    index('sms_batch_waiting')
      .on(t.id)
      .where(sql`${t.state} = ${inSql(batchState.waiting)}`),
    index('sms_batch_by_sender').on(t.sender_id, t.gmt_created),
    check('sms_batch_state', sql`${t.state} between ${inSql(batchState.waiting)} and ${inSql(batchState.withdrawn)}`),
    check('sms_batch_second', sql`${t.released_by} is null or ${t.released_by} is distinct from ${t.sender_id}`),
  ],
);

/** A message to one number. The delivery determines whether it was sent; `state` follows it (migrations/0007-sms.sql). */
export const smsLogTable = pgTable(
  'sms_log',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
    batch_id: integer('batch_id')
      .notNull()
      .references(() => smsBatchTable.id),
    delivery_id: integer('delivery_id'),
    /** Sealed; `mobile_mark` is equal for equal numbers. */
    mobile: text('mobile').notNull(),
    mobile_mark: char('mobile_mark', { length: 64 }).notNull(),
    mobile_tail: char('mobile_tail', { length: 4 }).notNull(),
    name: varchar('name', { length: 30 }).notNull().default(''),
    user_id: integer('user_id').references(() => userTable.id),
    alumnus_id: integer('alumnus_id').references(() => alumnusTable.id),
    /** The text as received, with a verification code hidden. */
    content: text('content').notNull(),
    /** Values of the template's placeholders, in order: json, because jsonb would reorder them. */
    params: json('params').notNull().$type<Record<string, string>>(),
    /** The code of a verification, sealed. */
    secret: text('secret'),
    template_id: integer('template_id').references(() => smsTemplateTable.id),
    type: smallint('type').notNull(),
    segments: smallint('segments').notNull(),
    module: varchar('module', { length: 32 }).notNull().default(''),
    object_id: integer('object_id'),
    sender_id: integer('sender_id').references(() => userTable.id),
    dept_id: integer('dept_id').references(() => deptTable.id),
    state: smallint('state').notNull().default(0),
    provider_code: varchar('provider_code', { length: 100 }).notNull().default(''),
    provider_msg: varchar('provider_msg', { length: 300 }).notNull().default(''),
    /** The time a provider accepted it, also set by the delivery. */
    sent_at: moment('sent_at'),
    receipt_time: moment('receipt_time'),
    /** The time of the last query for its result. */
    receipt_asked_at: moment('receipt_asked_at'),
    retry: smallint('retry').notNull().default(0),
    /** Set if it was resent since, at the cost of the person who requested it. */
    again: boolean('again').notNull().default(false),
    search: searchColumn(),
  },
  (t) => [
    index('sms_log_created').on(t.gmt_created, t.id),
    index('sms_log_tail').on(t.mobile_tail, t.id),
    index('sms_log_mark').on(t.mobile_mark, t.gmt_created),
    index('sms_log_dept').on(t.dept_id, t.id),
    index('sms_log_sender').on(t.sender_id, t.id),
    index('sms_log_batch').on(t.batch_id),
    index('sms_log_unsent')
      .on(t.batch_id)
      .where(sql`${t.state} = ${inSql(smsState.waiting)}`),
    uniqueIndex('sms_log_delivery').on(t.delivery_id),
    index('sms_log_object').on(t.module, t.object_id),
    index('sms_log_failed')
      .on(t.id)
      .where(sql`${t.state} in (${inSql(smsState.failed, smsState.limited)})`),
    index('sms_log_unconfirmed')
      .on(t.sent_at)
      .where(sql`${t.state} = ${inSql(smsState.sent)}`),
    searchIndex('sms_log_search', t.search),
    check('sms_log_state', sql`${t.state} between ${inSql(smsState.waiting)} and ${inSql(smsState.limited)}`),
  ],
);

/** A named group of recipients. */
export const smsGroupTable = pgTable(
  'sms_group',
  {
    ...recordColumns(),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    name: varchar('name', { length: 30 }).notNull(),
    /** Shared with the owner's department. */
    shared: boolean('shared').notNull().default(false),
    /** Like `audienceColumn`, but empty for alumni alone. */
    audience: text('audience').array().notNull(),
    /** An array, from which an erased alumnus is removed; a foreign key could not do that. */
    alumnus_ids: integer('alumnus_ids').array().notNull(),
    alumnus_filter: jsonb('alumnus_filter').$type<AlumnusFilter>(),
  },
  (t) => [
    uniqueIndex('sms_group_name').on(t.creator_id, plainSql(sql`${t.name}`)),
    index('sms_group_alumni').using('gin', t.alumnus_ids),
  ],
);

/** Numbers that opted out of our messages. */
export const smsOptOutTable = pgTable('sms_opt_out', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  mobile_mark: char('mobile_mark', { length: 64 }).notNull().unique('sms_opt_out_once'),
  /** Sealed; empty if the secret was lost, and the number is no longer protected. */
  mobile: text('mobile').notNull(),
  mobile_tail: char('mobile_tail', { length: 4 }).notNull(),
  reason: varchar('reason', { length: 100 }).notNull().default(''),
  creator_id: integer('creator_id').references(() => userTable.id),
  gmt_created: moment('gmt_created')
    .notNull()
    .default(sql`now()`),
});

/** Segments used: by a sender on a day, by a department in the month that begins on the day. */
export const smsQuotaTable = pgTable(
  'sms_quota',
  {
    kind: varchar('kind', { length: 6 }).notNull().$type<'sender' | 'dept'>(),
    subject_id: integer('subject_id').notNull(),
    since: date('since', { mode: 'string' }).notNull(),
    used: integer('used').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.subject_id, t.since] }),
    check('sms_quota_kind', sql`${t.kind} in ('sender', 'dept')`),
    check('sms_quota_used', sql`${t.used} >= 0`),
  ],
);

/** One row: the sealed key in the address for replies. */
export const smsReplyKeyTable = pgTable(
  'sms_reply_key',
  {
    id: smallint('id').primaryKey(),
    key: text('key').notNull(),
    made_at: moment('made_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [check('sms_reply_key_one', sql`${t.id} = 1`)],
);
