import { sql } from 'drizzle-orm';
import { bigint, char, index, integer, jsonb, pgTable, primaryKey, smallint, text, varchar } from 'drizzle-orm/pg-core';
import type { AuditEntry } from '#kernel/server/http/implement.ts';
import { moment } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';

export interface FieldDifference {
  field: string;
  before: unknown;
  after: unknown;
}
export interface ObjectDifference {
  type: string;
  id: string | null;
  title: string;
  fields: FieldDifference[];
}

/**
 * Actions and their actors. Rows are only ever added; one worker seals them into a chain after their commit. A deleted row keeps its number and
 * hashes and loses its content.
 */
export const logTable = pgTable(
  'log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    user_id: integer('user_id'),
    username: varchar('username', { length: 50 }).notNull().default(''),
    alias: varchar('alias', { length: 30 }).notNull().default(''),
    module: varchar('module', { length: 30 }).notNull(),
    action: varchar('action', { length: 100 }).notNull(),
    object_type: varchar('object_type', { length: 50 }).notNull().default(''),
    object_id: varchar('object_id', { length: 50 }).notNull().default(''),
    title: text('title').notNull().default(''),
    method: varchar('method', { length: 10 }).notNull(),
    path: varchar('path', { length: 300 }).notNull(),
    ip: varchar('ip', { length: 45 }).notNull(),
    ua: varchar('ua', { length: 300 }).notNull(),
    result: integer('result').notNull(),
    ms: integer('ms').notNull(),
    diff: jsonb('diff').notNull().$type<ObjectDifference[]>(),
    trace_id: varchar('trace_id', { length: 64 }).notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
    search: searchColumn(),
    /** Hash of the content, kept after the content is removed. */
    content_hash: char('content_hash', { length: 64 }),
    /** Position in the chain, from 1 without gaps. */
    seal: bigint('seal', { mode: 'number' }).unique('log_seal_unique'),
    prev_hash: char('prev_hash', { length: 64 }),
    hash: char('hash', { length: 64 }),
    /** 1: content removed, 2: a tombstone that reports removals and is never removed itself. */
    removed: smallint('removed').notNull().default(0),
  },
  (t) => [
    index('log_created').on(t.gmt_created, t.id),
    index('log_user').on(t.user_id, t.id),
    index('log_module').on(t.module, t.id),
    index('log_username').on(t.username, t.id),
    index('log_action').on(t.action, t.id),
    index('log_ip').on(t.ip, t.id),
    index('log_ms').on(t.ms, t.id),
    index('log_refused')
      .on(t.id)
      .where(sql`${t.result} <> 0`),
    searchIndex('log_search', t.search),
    index('log_tombstone')
      .on(t.id)
      .where(sql`${t.removed} = 2`),
    index('log_unsealed')
      .on(t.id)
      .where(sql`${t.seal} is null`),
  ],
);

/** One row: the end of the chain, which reveals rows removed from it. */
export const logHeadTable = pgTable('log_head', {
  id: smallint('id').primaryKey(),
  seal: bigint('seal', { mode: 'number' }).notNull(),
  hash: char('hash', { length: 64 }).notNull(),
});

/** Refusals of one person and call since the first, whose row is in the log; the others become one row with their count. */
export const refusalTable = pgTable(
  'log_refusal',
  {
    /** A person, an application, or an address. */
    who: varchar('who', { length: 60 }).notNull(),
    call: varchar('call', { length: 150 }).notNull(),
    result: integer('result').notNull(),
    entry: jsonb('entry').notNull().$type<AuditEntry>(),
    more: integer('more').notNull().default(0),
    first_at: moment('first_at')
      .notNull()
      .default(sql`now()`),
    last_at: moment('last_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.who, t.call, t.result] }), index('log_refusal_first').on(t.first_at)],
);
