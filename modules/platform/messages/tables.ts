import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { newsLevel, newsType } from './contract.ts';
import type { Way } from './contract/kinds.ts';

/** A message, stored once for all recipients. */
export const messageTable = pgTable(
  'msg',
  {
    ...recordColumns(),
    title: varchar('title', { length: 100 }).notNull(),
    content: text('content').notNull(),
    type: smallint('type').notNull(),
    level: smallint('level').notNull().default(0),
    /** Null for the system. */
    sender_id: integer('sender_id').references(() => userTable.id),
    /** The record it is about: module, id and event. */
    module: varchar('module', { length: 32 }).notNull().default(''),
    object_id: integer('object_id'),
    event: varchar('event', { length: 32 }).notNull().default(''),
    /** Distinguishes repetitions of the event, such as due dates. */
    occasion: varchar('occasion', { length: 32 }).notNull().default(''),
    web_path: varchar('web_path', { length: 300 }).notNull().default(''),
    need_receipt: boolean('need_receipt').notNull().default(false),
    publish_at: moment('publish_at')
      .notNull()
      .default(sql`now()`),
    recall_at: moment('recall_at'),
    total: integer('total').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    index('msg_sender').on(t.sender_id, t.publish_at),
    index('msg_receipts')
      .on(t.id)
      .where(sql`${t.need_receipt} and ${t.recall_at} is null`),
    index('msg_object').on(t.module, t.object_id, t.event),
    searchIndex('msg_search', t.search),
    check('msg_type', sql`${t.type} in (${inSql(...Object.keys(newsType.names).map(Number))})`),
    check('msg_level', sql`${t.level} between ${inSql(newsLevel.usual)} and ${inSql(newsLevel.urgent)}`),
  ],
);

/** A recipient's copy. */
export const receiptTable = pgTable(
  'msg_user',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    msg_id: integer('msg_id')
      .notNull()
      .references(() => messageTable.id, { onDelete: 'cascade' }),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    /** Copied from the message, because a box is read in this order. */
    publish_at: moment('publish_at')
      .notNull()
      .default(sql`now()`),
    read_time: moment('read_time'),
    confirmed_at: moment('confirmed_at'),
    /** Set when the requested action is no longer needed. */
    closed_at: moment('closed_at'),
    /** Messages whose external text named this one too. */
    told_with: integer('told_with')
      .array()
      .notNull()
      .default(sql`'{}'`),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('msg_user_once').on(t.msg_id, t.user_id),
    index('msg_user_of').on(t.user_id, t.publish_at, t.id),
    index('msg_user_unread')
      .on(t.user_id)
      .where(sql`${t.read_time} is null and ${t.closed_at} is null and not ${t.is_deleted}`),
  ],
);

/** Reminders sent to a person, for a due day and a number of days before it: each once, whichever job sends it. */
export const reminderTable = pgTable(
  'msg_reminder',
  {
    module: varchar('module', { length: 32 }).notNull(),
    event: varchar('event', { length: 32 }).notNull(),
    object_id: integer('object_id').notNull(),
    due: date('due').notNull(),
    days: smallint('days').notNull(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.module, t.event, t.object_id, t.due, t.days, t.user_id] })],
);

/** A person's channels for an event besides the box; if missing, the kind's defaults. */
export const messagePreferenceTable = pgTable(
  'msg_preference',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    event: varchar('event', { length: 32 }).notNull(),
    ways: varchar('ways', { length: 10 }).array().notNull().$type<Way[]>(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.event] })],
);

/** When a person is left in peace, and whether they want the morning's digest; `HH:MM` of the house's clock. */
export const messageHabitTable = pgTable('msg_habit', {
  user_id: integer('user_id')
    .primaryKey()
    .references(() => userTable.id),
  quiet_from: varchar('quiet_from', { length: 5 }),
  quiet_to: varchar('quiet_to', { length: 5 }),
  digest: boolean('digest').notNull().default(true),
});

/**
 * A device for push messages, by its browser's address. The database deletes it when the session in which it was registered is ended, or all sessions
 * of the person (migrations/0055-push.sql).
 */
export const pushTable = pgTable(
  'push_device',
  {
    ...recordColumns(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    session_id: integer('session_id').notNull(),
    endpoint: varchar('endpoint', { length: 500 }).notNull().unique(),
    p256dh: varchar('p256dh', { length: 100 }).notNull(),
    /** Sealed. */
    auth: varchar('auth', { length: 200 }).notNull(),
    /** The number of consecutive refusals by its service, and their beginning. */
    refusals: smallint('refusals').notNull().default(0),
    refused_since: moment('refused_since'),
  },
  (t) => [index('push_device_user').on(t.user_id), index('push_device_session').on(t.session_id)],
);

/** Tickets that each open one socket, once and within a minute; stored as a hash, in an unlogged table. */
export const socketTicketTable = pgTable(
  'socket_ticket',
  {
    hash: char('hash', { length: 64 }).primaryKey(),
    session_id: integer('session_id').notNull(),
    user_id: integer('user_id').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (t) => [index('socket_ticket_expires').on(t.expires_at)],
);
