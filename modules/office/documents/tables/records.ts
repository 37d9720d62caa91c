import { sql } from 'drizzle-orm';
import { char, index, integer, jsonb, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { documentTable } from '../tables.ts';

const document = () =>
  integer('document_id')
    .notNull()
    .references(() => documentTable.id);

/** A row of the handling record: one task of one person. The task holds the opinion; the row has its number, and text messages sent about it. */
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

/** The columns of a document that a signature overwrites, before it. */
export interface Unsigned {
  issuer: number | null;
  sign_date: string | null;
  written_date: string | null;
  body_sha256: string | null;
}

/** The text as signed, kept whatever changes afterwards. */
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
    /** The columns that the signature overwrote. */
    before: jsonb('before').$type<Unsigned>().notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [index('document_frozen_last').on(t.document_id, t.id)],
);

/** The facts of a document that are sealed against unnoticed change. */
export interface Sealed {
  /** Hashes of the signed body and of the present one: a review may correct it until it has its number. */
  signed: string | null;
  now: string;
  number: string;
  /** Each signature: the signer, and the hash. */
  signatures: [signer: number | null, sha256: string][];
}

/** The sealed facts, a row for each change: a hash chain for each document, append-only. */
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
