import { sql } from 'drizzle-orm';
import { boolean, char, check, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/platform/people/tables.ts';

export const appTokenTable = pgTable(
  'app_token',
  {
    ...recordColumns(),
    app_name: varchar('app_name', { length: 50 }).notNull(),
    /** Sealed: it signs requests, so the server must be able to read it. */
    key: text('key').notNull(),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    /** Calls it may make, as method and path: `GET /api/tickets/`. */
    apis: text('apis').array().notNull(),
    /** Addresses and ranges it may call from; empty for any. */
    ip_whitelist: text('ip_whitelist')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Workflows whose tickets it may start and see; empty for all its creator may. */
    workflow_ids: integer('workflow_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Prefix of the numbers of tickets it starts. */
    ticket_sn_prefix: varchar('ticket_sn_prefix', { length: 10 }).notNull().default(''),
    /** People in whose name it may begin tickets besides its creator: an audience, granted by a super administrator. */
    begins_for: text('begins_for')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The address to which events of its visible tickets are pushed; empty if it fetches them itself. */
    push_url: varchar('push_url', { length: 500 }).notNull().default(''),
    /** Calls per minute. */
    rate_limit: integer('rate_limit').notNull().default(600),
    expire_at: moment('expire_at'),
    status: boolean('status').notNull().default(true),
    last_used_at: moment('last_used_at'),
  },
  (t) => [
    uniqueIndex('app_token_name_unique').on(plainSql(sql`${t.app_name}`)),
    index('app_token_creator').on(t.creator_id),
    check('app_token_rate', sql`${t.rate_limit} between 1 and 6000`),
    check('app_token_apis', sql`cardinality(${t.apis}) > 0`),
  ],
);

/** Signatures already used, until their time window has passed. */
export const appTokenUseTable = pgTable(
  'app_token_use',
  {
    sign: char('sign', { length: 64 }).primaryKey(),
    expires_at: moment('expires_at').notNull(),
  },
  (t) => [index('app_token_use_expires').on(t.expires_at)],
);
