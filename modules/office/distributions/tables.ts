import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, smallint, text, varchar } from 'drizzle-orm/pg-core';
import { inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { documentTable } from '#modules/office/documents/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { copyState } from './contract/list.ts';

const person = (name: string) => integer(name).references(() => userTable.id);

/** A document given to people to read. */
export const distTable = pgTable(
  'document_dist',
  {
    ...recordColumns(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    sender_id: person('sender_id').notNull(),
    /** The sender's department at that time; the data scope uses it. */
    sender_dept: integer('sender_dept').references(() => deptTable.id),
    note: varchar('note', { length: 200 }).notNull().default(''),
    need_receipt: boolean('need_receipt').notNull().default(false),
    sms: boolean('sms').notNull().default(false),
    deadline: moment('deadline'),
    recalled_at: moment('recalled_at'),
    recalled_by: person('recalled_by'),
    total: integer('total').notNull().default(0),
    read: integer('read').notNull().default(0),
    replied: integer('replied').notNull().default(0),
  },
  (t) => [
    index('document_dist_newest').on(t.gmt_created, t.id),
    index('document_dist_document').on(t.document_id, t.id),
    index('document_dist_sender').on(t.sender_id, t.gmt_created, t.id),
    index('document_dist_due')
      .on(t.deadline)
      .where(sql`${t.recalled_at} is null`),
    check('document_dist_counts', sql`${t.replied} between 0 and ${t.read} and ${t.read} <= ${t.total}`),
    check('document_dist_recalled', sql`(${t.recalled_at} is null) = (${t.recalled_by} is null)`),
  ],
);

/** One person's copy. A recalled one keeps its history and opens nothing. */
export const distUserTable = pgTable(
  'document_dist_user',
  {
    dist_id: integer('dist_id')
      .notNull()
      .references(() => distTable.id),
    user_id: person('user_id').notNull(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    /** Their main department at that time. */
    dept_id: integer('dept_id').references(() => deptTable.id),
    /** The way they were chosen: 1 named, 2 department, 3 role, 4 as everybody. */
    source: smallint('source').notNull(),
    /** 0 unread, 1 read, 2 replied, 3 recalled. */
    state: smallint('state').notNull().default(0),
    read_time: moment('read_time'),
    read_client: varchar('read_client', { length: 300 }).notNull().default(''),
    reply: text('reply').notNull().default(''),
    reply_time: moment('reply_time'),
  },
  (t) => [
    primaryKey({ columns: [t.dist_id, t.user_id] }),
    // Opens documents to a person and counts unread copies.
    index('document_dist_user_opens')
      .on(t.user_id, t.document_id, t.state)
      .where(sql`${t.state} <> ${inSql(copyState.recalled)}`),
    check('document_dist_user_source', sql`${t.source} between 1 and 4`),
    check(
      'document_dist_user_state',
      sql`${t.state} between ${inSql(copyState.unread)} and ${inSql(copyState.recalled)}`,
    ),
    check(
      'document_dist_user_read',
      sql`${t.state} not in (${inSql(copyState.read, copyState.replied)}) or ${t.read_time} is not null`,
    ),
    check('document_dist_user_replied', sql`(${t.reply} <> '') = (${t.reply_time} is not null)`),
  ],
);

/** The log of a distribution: given out, urged, replied to, recalled. */
export const distEventTable = pgTable(
  'document_dist_event',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    dist_id: integer('dist_id')
      .notNull()
      .references(() => distTable.id),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    kind: varchar('kind', { length: 10 }).notNull().$type<'distribute' | 'urge' | 'reply' | 'recall'>(),
    actor_id: person('actor_id').notNull(),
    /** The number of people it reached. */
    people: integer('people').notNull().default(1),
    content: text('content').notNull().default(''),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('document_dist_event_of').on(t.dist_id, t.id),
    index('document_dist_event_document').on(t.document_id, t.id),
    check('document_dist_event_kind', sql`${t.kind} in ('distribute', 'urge', 'reply', 'recall')`),
  ],
);
