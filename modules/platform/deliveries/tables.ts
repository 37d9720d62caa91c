import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { Channel, DeliveryState } from './contract.ts';

const ended = ({ state }: { state: AnyPgColumn }) => sql`${state} in ('sent', 'given_up', 'cancelled')`;

/** A message out of the organisation, once for each key. */
export const deliveryTable = pgTable(
  'delivery',
  {
    ...recordColumns(),
    channel: varchar('channel', { length: 10 }).notNull().$type<Channel>(),
    target: varchar('target', { length: 1000 }).notNull(),
    title: varchar('title', { length: 200 }).notNull(),
    body: jsonb('body').notNull(),
    /** Sent to the provider with every try. */
    key: varchar('key', { length: 100 }).notNull(),
    /** The record it is about, and its recipient. */
    module: varchar('module', { length: 32 }).notNull().default(''),
    object_id: integer('object_id'),
    user_id: integer('user_id').references(() => userTable.id),
    state: varchar('state', { length: 10 }).notNull().default('waiting').$type<DeliveryState>(),
    tries: integer('tries').notNull().default(0),
    /** Failed tries since it was posted or last resent by hand, which determine the waiting time. */
    failures: integer('failures').notNull().default(0),
    due_at: moment('due_at')
      .notNull()
      .default(sql`now()`),
    sent_at: moment('sent_at'),
    provider_id: varchar('provider_id', { length: 300 }),
    answer: text('answer').notNull().default(''),
    search: searchColumn(),
  },
  (t) => [
    unique('delivery_key_unique').on(t.key),
    index('delivery_channel').on(t.channel, t.id),
    index('delivery_state').on(t.state, t.id),
    index('delivery_user').on(t.user_id, t.id),
    index('delivery_created').on(t.gmt_created),
    searchIndex('delivery_search', t.search),
    index('delivery_object').on(t.module, t.object_id),
    index('delivery_ended').on(t.gmt_modified).where(ended(t)),
    index('delivery_unsent')
      .on(t.due_at)
      .where(sql`${t.state} in ('waiting', 'retrying')`),
    // It is sent in headers.
    check('delivery_key_plain', sql`${t.key} ~ '^[ -~]+$'`),
    check('delivery_state_known', sql`${t.state} in ('waiting', 'sent', 'retrying', 'given_up', 'cancelled')`),
  ],
);

export const hasEnded = ended(deliveryTable);

/** One try. Without an end, its node stopped before it received the reply. */
export const deliveryTryTable = pgTable(
  'delivery_try',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    delivery_id: integer('delivery_id')
      .notNull()
      .references(() => deliveryTable.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    started_at: moment('started_at')
      .notNull()
      .default(sql`now()`),
    ended_at: moment('ended_at'),
    done: boolean('done'),
    answer: text('answer').notNull().default(''),
  },
  (t) => [unique('delivery_try_number').on(t.delivery_id, t.number)],
);
