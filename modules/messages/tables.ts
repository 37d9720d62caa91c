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
import { deletable, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { sessionTable } from '#modules/accounts/tables.ts';
import { userTable } from '#modules/people/tables.ts';
import type { Way } from './contract/preference.ts';

/** What was said, once for all who get it. */
export const messageTable = pgTable(
  'msg',
  {
    ...recordColumns(),
    title: varchar('title', { length: 100 }).notNull(),
    content: text('content').notNull(),
    type: smallint('type').notNull(),
    level: smallint('level').notNull().default(0),
    /** Null where the system speaks. */
    senderId: integer('sender_id').references(() => userTable.id),
    /** The record it is about: module and id, and what happened to it. */
    module: varchar('module', { length: 32 }).notNull().default(''),
    objectId: integer('object_id'),
    event: varchar('event', { length: 32 }).notNull().default(''),
    /** Which happening of the event, where it comes again: the day it is due. */
    occasion: varchar('occasion', { length: 32 }).notNull().default(''),
    webPath: varchar('web_path', { length: 300 }).notNull().default(''),
    needReceipt: boolean('need_receipt').notNull().default(false),
    published: moment('publish_at')
      .notNull()
      .default(sql`now()`),
    recalled: moment('recall_at'),
    total: integer('total').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    index('msg_sender').on(t.senderId, t.published),
    index('msg_receipts')
      .on(t.id)
      .where(sql`${t.needReceipt} and ${t.recalled} is null`),
    index('msg_object').on(t.module, t.objectId, t.event),
    searchIndex('msg_search', t.search),
    check('msg_type', sql`${t.type} between 1 and 9`),
    check('msg_level', sql`${t.level} between 0 and 2`),
  ],
);

/** One person's copy. */
export const receiptTable = pgTable(
  'msg_user',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    messageId: integer('msg_id')
      .notNull()
      .references(() => messageTable.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    read: moment('read_time'),
    confirmed: moment('confirmed_at'),
    /** Set when what it asked to do needs no doing any more. */
    closed: moment('closed_at'),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('msg_user_once').on(t.messageId, t.userId),
    index('msg_user_of').on(t.userId, t.id),
    index('msg_user_unread')
      .on(t.userId)
      .where(sql`${t.read} is null and ${t.closed} is null and not ${t.deleted}`),
  ],
);

/** That a person was reminded, so many days before it, of what is due on a day: once, whoever reminds. */
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

/** By which ways besides the box a person hears of an event; absent, as `defaultWays` says. */
export const messagePreferenceTable = pgTable(
  'msg_preference',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    event: varchar('event', { length: 32 }).notNull(),
    ways: varchar('ways', { length: 10 }).array().notNull().$type<Way[]>(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.event] })],
);

/** When a person is left in peace, and whether they want the morning's digest; `HH:MM` in Asia/Shanghai. */
export const messageHabitTable = pgTable('msg_habit', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => userTable.id),
  quietFrom: varchar('quiet_from', { length: 5 }),
  quietTo: varchar('quiet_to', { length: 5 }),
  digest: boolean('digest').notNull().default(true),
});

/** Each lets one socket in, once and within a minute; kept as a hash, in a table that is not logged. */
export const socketTicketTable = pgTable(
  'socket_ticket',
  {
    hash: char('hash', { length: 64 }).primaryKey(),
    sessionId: integer('session_id')
      .notNull()
      .references(() => sessionTable.id, { onDelete: 'cascade' }),
    userId: integer('user_id').notNull(),
    expires: moment('expires_at').notNull(),
  },
  (t) => [index('socket_ticket_expires').on(t.expires)],
);
