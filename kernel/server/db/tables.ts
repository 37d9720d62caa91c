import { sql } from 'drizzle-orm';
import {
  bigint,
  char,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** Longest key of a write. */
export const longestKey = 255;

/** One answered write per person and key, kept a day. */
export const idempotencyTable = pgTable(
  'idempotency_record',
  {
    user_id: integer('user_id').notNull(),
    key: varchar('key', { length: longestKey }).notNull(),
    call: text('call').notNull(),
    fingerprint: char('fingerprint', { length: 64 }).notNull(),
    answer: jsonb('answer'),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] }), index('idempotency_record_created').on(t.gmt_created)],
);

/** The last run of each kind of background work. The table has no switches, because any node writes a row while other work goes on. */
export const jobRunTable = pgTable('job_run', {
  name: varchar('name', { length: 100 }).primaryKey(),
  title: varchar('title', { length: 100 }).notNull(),
  /** For work that one node does at intervals: the interval. */
  every_seconds: integer('every_seconds'),
  started_at: moment('started_at').notNull(),
  ms: integer('ms').notNull(),
  /** The start and the message of the last failed run; if `failed_at` equals `started_at`, the latest run failed. */
  failed_at: moment('failed_at'),
  failure: text('failure'),
});

/** Last number given out for each scope, key and period. */
export const sequenceTable = pgTable(
  'sequence',
  {
    scope: varchar('scope', { length: 30 }).notNull(),
    key: varchar('key', { length: 60 }).notNull(),
    period: varchar('period', { length: 8 }).notNull(),
    last_no: bigint('last_no', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key, t.period] })],
);

/** Counted tries that survive a refusal: failed sign-ins, codes, reveals. */
export const attemptTable = pgTable(
  'attempt',
  {
    kind: varchar('kind', { length: 30 }).notNull(),
    subject: varchar('subject', { length: 200 }).notNull(),
    count: integer('count').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.subject] }), index('attempt_expires').on(t.expires_at)],
);

/** Counts the changes of each person's data, so that a window that was offline knows whether it missed a message; 0 stands for everybody. */
export const cursorTable = pgTable('live_cursor', {
  person_id: integer('person_id').primaryKey(),
  at: bigint('at', { mode: 'number' }).notNull(),
  moved_at: moment('moved_at')
    .notNull()
    .default(sql`clock_timestamp()`),
});

/** One row for each group of settings: `site`, `login`, `interface`, and each module's own rules. Secrets inside are encrypted. */
export const settingTable = pgTable('setting', {
  key: varchar('key', { length: 20 }).primaryKey(),
  value: jsonb('value').notNull().$type<Record<string, unknown>>(),
  version: integer('version').notNull().default(0),
  gmt_modified: moment('gmt_modified')
    .notNull()
    .default(sql`now()`),
});

/**
 * Marks, one a second while something is written: a server without the last mark that a node knows does not descend from what that node wrote. The
 * first mark of each timeline of each server is kept, and the marks by which an administrator accepted an older database; of the others only the
 * newest.
 */
export const databaseHistoryTable = pgTable(
  'database_history',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    mark: uuid('mark').notNull().unique(),
    /** The first mark of its timeline, or of an accepted database. */
    epoch: uuid('epoch').notNull(),
    system: varchar('system', { length: 20 }).notNull(),
    timeline: integer('timeline').notNull(),
    /** The epoch that was known before and is given up. */
    replaces: uuid('replaces'),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    uniqueIndex('database_history_timeline')
      .on(t.system, t.timeline)
      .where(sql`${t.replaces} is null and ${t.epoch} = ${t.mark}`),
    index('database_history_replaces')
      .on(t.replaces)
      .where(sql`${t.replaces} is not null`),
    check('database_history_accepted', sql`${t.replaces} is null or ${t.epoch} = ${t.mark}`),
  ],
);
