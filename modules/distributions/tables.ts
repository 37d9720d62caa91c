import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, smallint, text, varchar } from 'drizzle-orm/pg-core';
import { moment, recordColumns } from '#kernel/server/db/columns.ts';
import { documentTable } from '#modules/documents/tables.ts';
import { deptTable, userTable } from '#modules/people/tables.ts';

const person = (name: string) => integer(name).references(() => userTable.id);

/** A document given to people to read. */
export const distTable = pgTable(
  'document_dist',
  {
    ...recordColumns(),
    documentId: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    senderId: person('sender_id').notNull(),
    /** The sender's department then: the data scope goes by it. */
    senderDeptId: integer('sender_dept').references(() => deptTable.id),
    note: varchar('note', { length: 200 }).notNull().default(''),
    needReceipt: boolean('need_receipt').notNull().default(false),
    sms: boolean('sms').notNull().default(false),
    deadline: moment('deadline'),
    recalled: moment('recalled_at'),
    recalledBy: person('recalled_by'),
    total: integer('total').notNull().default(0),
    read: integer('read').notNull().default(0),
    replied: integer('replied').notNull().default(0),
  },
  (t) => [
    index('document_dist_newest').on(t.created, t.id),
    index('document_dist_document').on(t.documentId, t.id),
    index('document_dist_sender').on(t.senderId, t.created, t.id),
    index('document_dist_due')
      .on(t.deadline)
      .where(sql`${t.recalled} is null`),
    check('document_dist_counts', sql`${t.replied} between 0 and ${t.read} and ${t.read} <= ${t.total}`),
    check('document_dist_recalled', sql`(${t.recalled} is null) = (${t.recalledBy} is null)`),
  ],
);

/** One person's copy. A recalled one keeps what was done with it, and opens nothing. */
export const distUserTable = pgTable(
  'document_dist_user',
  {
    distId: integer('dist_id')
      .notNull()
      .references(() => distTable.id),
    userId: person('user_id').notNull(),
    documentId: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    /** Their main department then. */
    deptId: integer('dept_id').references(() => deptTable.id),
    /** By what they were chosen: 1 named, 2 department, 3 role, 4 as everybody. */
    source: smallint('source').notNull(),
    /** 0 unread, 1 read, 2 replied, 3 recalled. */
    state: smallint('state').notNull().default(0),
    readTime: moment('read_time'),
    readClient: varchar('read_client', { length: 300 }).notNull().default(''),
    reply: text('reply').notNull().default(''),
    replyTime: moment('reply_time'),
  },
  (t) => [
    primaryKey({ columns: [t.distId, t.userId] }),
    // What opens documents to a person, and counts what is unread.
    index('document_dist_user_opens')
      .on(t.userId, t.documentId, t.state)
      .where(sql`${t.state} <> 3`),
    check('document_dist_user_source', sql`${t.source} between 1 and 4`),
    check('document_dist_user_state', sql`${t.state} between 0 and 3`),
    check('document_dist_user_read', sql`${t.state} not in (1, 2) or ${t.readTime} is not null`),
    check('document_dist_user_replied', sql`(${t.reply} <> '') = (${t.replyTime} is not null)`),
  ],
);

/** What was done with a distribution, for its log: given out, urged, replied to, recalled. */
export const distEventTable = pgTable(
  'document_dist_event',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    distId: integer('dist_id')
      .notNull()
      .references(() => distTable.id),
    documentId: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    kind: varchar('kind', { length: 10 }).notNull().$type<'distribute' | 'urge' | 'reply' | 'recall'>(),
    actorId: person('actor_id').notNull(),
    /** How many people it reached. */
    people: integer('people').notNull().default(1),
    content: text('content').notNull().default(''),
    created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('document_dist_event_of').on(t.distId, t.id),
    index('document_dist_event_document').on(t.documentId, t.id),
    check('document_dist_event_kind', sql`${t.kind} in ('distribute', 'urge', 'reply', 'recall')`),
  ],
);
