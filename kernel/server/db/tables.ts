import { sql } from 'drizzle-orm';
import { bigint, char, index, integer, jsonb, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** Longest key of a write. */
export const longestKey = 255;

/** One answered write per person and key, kept a day. */
export const idempotencyTable = pgTable(
  'idempotency_record',
  {
    userId: integer('user_id').notNull(),
    key: varchar('key', { length: longestKey }).notNull(),
    call: text('call').notNull(),
    fingerprint: char('fingerprint', { length: 64 }).notNull(),
    answer: jsonb('answer'),
    created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index('idempotency_record_created').on(t.created)],
);

/** Last number given out for each scope, key and period. */
export const sequenceTable = pgTable(
  'sequence',
  {
    scope: varchar('scope', { length: 30 }).notNull(),
    key: varchar('key', { length: 60 }).notNull(),
    period: varchar('period', { length: 8 }).notNull(),
    last: bigint('last_no', { mode: 'number' }).notNull(),
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
    expires: moment('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.subject] }), index('attempt_expires').on(t.expires)],
);

/** How often something of a person changed, so that whoever was away knows whether they missed a word; 0 is everybody. */
export const cursorTable = pgTable('live_cursor', {
  personId: integer('person_id').primaryKey(),
  at: bigint('at', { mode: 'number' }).notNull(),
  moved: moment('moved_at')
    .notNull()
    .default(sql`clock_timestamp()`),
});

/** One row a group of settings: `site`, `login`, `interface`, and each module's own rules. Secrets inside are encrypted. */
export const settingTable = pgTable('setting', {
  key: varchar('key', { length: 20 }).primaryKey(),
  value: jsonb('value').notNull().$type<Record<string, unknown>>(),
  version: integer('version').notNull().default(0),
  modified: moment('gmt_modified')
    .notNull()
    .default(sql`now()`),
});
