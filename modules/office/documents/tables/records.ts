import { sql } from 'drizzle-orm';
import { char, index, integer, jsonb, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { documentTable } from '../tables.ts';

const document = () =>
  integer('document_id')
    .notNull()
    .references(() => documentTable.id);

/** A row of the handling record: a person asked once. What they said is their task's; here is its number, and who was texted about it. */
export const documentRecordTable = pgTable(
  'document_record',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_id: document(),
    task_no: integer('task_no').notNull(),
    sms_count: integer('sms_count').notNull().default(0),
    last_sms_at: moment('last_sms_at'),
  },
  (t) => [uniqueIndex('document_record_task_unique').on(t.document_id, t.task_no)],
);

/** What a signature writes of a document, as it was before. */
export interface Unsigned {
  issuer: number | null;
  sign_date: string | null;
  written_date: string | null;
  body_sha256: string | null;
}

/** The text as it was signed, kept whatever is changed afterwards. */
export const documentFrozenTable = pgTable(
  'document_frozen',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_id: document(),
    signer_id: integer('signer_id').references(() => userTable.id),
    title: varchar('title', { length: 200 }).notNull(),
    body_html: text('body_html').notNull(),
    body_file: integer('body_file'),
    attachments: integer('attachments').array().notNull(),
    sha256: char('sha256', { length: 64 }).notNull(),
    /** What the signature overwrote in the document. */
    before: jsonb('before').$type<Unsigned>().notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [index('document_frozen_last').on(t.document_id, t.id)],
);

/** What of a document is not to change any more unseen. */
export interface Sealed {
  /** Of the body as it was signed, and as it is now: a review may put it right until the number. */
  signed: string | null;
  now: string;
  number: string;
  /** Each signature: who signed what. */
  signatures: [signer: number | null, sha256: string][];
}

/** What was sealed of a document, each time something of it changed: a chain of its own for each document, only ever added to. */
export const documentSealTable = pgTable(
  'document_seal',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_id: document(),
    seq: integer('seq').notNull(),
    facts: jsonb('facts').$type<Sealed>().notNull(),
    prev_hash: char('prev_hash', { length: 64 }),
    hash: char('hash', { length: 64 }).notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [uniqueIndex('document_seal_place').on(t.document_id, t.seq)],
);
